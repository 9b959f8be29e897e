// The PTX of a module with its lines numbered as ptxas numbered them.
//
// The PTX in a fat binary is not what ptxas read: fatbinary takes comments out, and with a block
// comment the ends of lines in it, so that everything behind it moves up. The cubin says by line
// what became of an instruction, and `.nv_debug_ptx_txt` has the lines that ptxas read, each with a
// zero behind it; those that begin with two slashes, `.loc` or `.file` are empty there, in a block
// comment too, which may then have no end. Where both texts have the same tokens, which line each
// token was on is known, whatever comments are between them.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace course::sass {

// `ptx` with ends of lines put in where they are missing. `read` is the section, with ends of lines
// for its zeros. Nothing where the two are not the same program, or a line would have to move up:
// then no line of the cubin is to be believed.
std::optional<std::string> lines_as_read(std::string_view ptx, std::string_view read);

} // namespace course::sass

// Whether the toolkit at hand still makes SASS and line tables as this room reads them.
//
// None of it is documented, and each release may change it. Compile self_check_source() as any
// other file (-lineinfo, PTX and an sm_90 cubin of one compilation), and ask.
#pragma once

#include "device/code/ptx/module.hpp"
#include "device/code/sass/access_widths.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace course::sass {

// CUDA C++: kernels that have one kind of access each.
std::string_view self_check_source();

// Nothing when all is as expected; otherwise one sentence that names the first difference.
std::optional<std::string> difference(const ptx::Module&, const Cubin&);

} // namespace course::sass

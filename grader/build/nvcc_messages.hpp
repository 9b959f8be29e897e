// A compiler's messages as the student should see them.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace course::build {

// How the compiler saw the student's file.
struct Seen {
  std::filesystem::path folder; // the folder that it was compiled in
  std::string copy;             // the file's name there
  std::string name;             // and the name that the student knows it by
};

// Nothing but text in UTF-8, with line ends and tabs: no other control characters, and U+FFFD for
// what is no character.
std::string plain_text(std::string_view);

// The compiler's words, with the student's file name for the folder, for the copy in it, and for
// files that nvcc makes of it on its way (tmpxft_….cudafe1.cpp). Lines past the first kMostLines
// are counted, not shown.
inline constexpr int kMostLines = 200;
std::string clean_messages(std::string_view, const Seen&);

// PTX whose .file directives name the student's file as the student does.
std::string clean_ptx(std::string_view, const Seen&);

// Whether nvcc did not know a name, or asks for its flag for lambdas.
bool misses_a_name(std::string_view messages);

} // namespace course::build

// Where the keeper is, and what it was built with.
#pragma once

#include <filesystem>

namespace course::sandbox {

// Beside the running program, where a built tree has been moved; else where it was built.
std::filesystem::path keeper_program();

#ifdef COURSE_HAVE_SECCOMP
inline constexpr bool kHaveFilter = true;
#else
inline constexpr bool kHaveFilter = false;
#endif

} // namespace course::sandbox

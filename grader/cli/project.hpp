// Where the course's files are: the labs, and what the build put beside this executable.
#pragma once

#include "lab/tools.hpp"

#include <filesystem>
#include <optional>
#include <string>

namespace course::cli {

// The folder that has `labs/`: the one given, else the nearest above the executable, else the
// nearest above the working folder. Nothing where there is none. For this process, nothing given is
// what $COURSE_ROOT says, if it says anything, and the course that it was built from comes last.
std::optional<std::filesystem::path> find_root(const std::optional<std::filesystem::path>& given,
                                               const std::filesystem::path& executable,
                                               const std::filesystem::path& working);
// Says on standard error, once, where it passes over a course of the working folder.
std::optional<std::filesystem::path> find_root(const std::string& given);
// The folder, at or above the working one, with labs of the same course that `root` has, where it
// is another.
std::optional<std::filesystem::path> passed_over(const std::filesystem::path& root,
                                                 const std::filesystem::path& working);
// The folder whose labs/ has the files that are worked on: $COURSE_WORK, else the course's own.
std::filesystem::path work_folder(const std::filesystem::path& root);
// From now on no program in the sandbox reads what courses have, where the system's files are: that
// one, and one that a package has installed, with its book.
void hide_courses(const std::optional<std::filesystem::path>& root);
// What to do when there is none.
std::string no_root();

// Compilations are kept in $COURSE_CACHE, else in shared_memory_course below $XDG_CACHE_HOME or
// ~/.cache, if it can be made, else in a folder of this user's below the one for temporary files.
std::filesystem::path cache_folder();

// Where the build keeps what labs/ held before the first edit: a tree with a folder labs/.
std::filesystem::path skeleton_copies();

// Whether solutions of it are here: what students get of `publish` has none.
bool has_solutions(const std::filesystem::path& root);

// nvcc, the cache, and course_host and libcudart.so.13 where the build put them.
lab::Workplace find_workplace();

// What of the build is missing, in a sentence; empty when nothing is.
std::string missing(const lab::Workplace&);
// The same of NVIDIA's compiler.
std::string missing_toolkit(const lab::Workplace&);

// Why nobody else's files should be graded on this machine; empty where a sandbox contains them.
std::string uncontained();
// What to do about that, half a sentence; empty likewise.
std::string to_contain();

} // namespace course::cli

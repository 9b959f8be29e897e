// What a grading service needs to run the course's grader on what students hand in there.
//
// Each service is a folder of `kits/`: its files are copied, with what they say of this kit between
// @ signs filled in, beside class.toml and course/, which is the copy for students
// (student_copy.hpp): whoever reads the grader's machine learns no answer, and nothing of the class
// that lies beside the course. README.md in the kit says what to do with it.
#pragma once

#include "classroom/student_copy.hpp"

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace course::classroom {

struct Kit {
  struct Asked {
    std::string id; // "05_transpose/2_pad"
    int points = 0;
  };
  std::string service; // as services() names it
  StudentCopy course;
  std::vector<Asked> exercises; // that students may hand in
  bool whatever = false;        // whatever of them is handed in counts; else all of them
  std::uint64_t seed = 0;       // of the hidden inputs
};

// The services that the project has kits for, sorted.
std::vector<std::string> services(const std::filesystem::path& project);

// What of it gives an answer away, as write_student_copy says. `folder` has to be new or empty.
// Throws std::filesystem::filesystem_error.
std::vector<Leak> write_kit(const std::filesystem::path& folder, const Kit&);

} // namespace course::classroom

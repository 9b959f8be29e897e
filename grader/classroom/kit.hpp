// What a grading service needs to run the course's grader on what students hand in there.
//
// Each service is a folder of `kits/`: its files are copied, with what they say of this kit between
// @ signs filled in, beside course/, which is of the copy for students what grades
// (student_copy.hpp): whoever reads the grader's machine learns no answer, and nothing of the class
// that lies beside the course. The class's settings, with the seed of the hidden inputs, stand
// where the service keeps them from the public: in no image that has to be pushed to a registry.
// README.md in the kit says what to do with it. How each service was seen to run its kit:
// play_kits.py.
#pragma once

#include "classroom/settings.hpp"
#include "classroom/student_copy.hpp"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace course::classroom {

struct Kit {
  struct Asked {
    std::string id; // "05_transpose/2_pad"
    int points = 0;
  };
  std::string service;          // as services() names it
  std::filesystem::path grader; // the project with the grader's sources, and kits
  StudentCopy course;           // with the labs: the same project, or one of somebody's own
  std::vector<Asked> exercises; // that students may hand in
  bool whatever = false;        // whatever of them is handed in counts; else all of them
  std::uint64_t seed = 0;       // of the hidden inputs, where the class's settings have none
  struct OwnSettings {
    std::string text; // class.toml
    Settings said;    // what it says
  };
  std::optional<OwnSettings> settings;
};

// The services that the project has kits for, sorted.
std::vector<std::string> services(const std::filesystem::path& project);

// What of it gives an answer away, as write_student_copy says. `folder` has to be new or empty.
// Throws std::filesystem::filesystem_error.
std::vector<Leak> write_kit(const std::filesystem::path& folder, const Kit&);

} // namespace course::classroom

// course: the staff's commands are in course-staff, beside it.
#include "cli/commands.hpp"
#include "cli/exit_codes.hpp"
#include "cli/screen.hpp"
#include "cli/staff.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <string>
#include <string_view>
#include <unistd.h>

namespace course::cli {
namespace {

struct StaffCommand {
  const char* name;
  const char* meaning; // nullptr: not listed
};

// As the commands themselves say; a test compares the help of both programs.
constexpr std::array kStaffCommands{
    StaffCommand{"class", "Grade a class: a folder of submissions to grades"},
    StaffCommand{"class-one", nullptr},
    StaffCommand{"autograde", "Grade one submission for Gradescope, Classroom 50, …"},
    StaffCommand{"autograder", "Write what Gradescope or Classroom 50 needs to grade"},
    StaffCommand{"new", "Write an exercise to begin with, for you to change"},
    StaffCommand{"check",
                 "Prove the labs: skeletons fail, solutions pass, wrong variants fail as they say"},
    StaffCommand{"conformance", "Compare the emulated device with what was measured on an H200"},
    StaffCommand{"attacks",
                 "Try to cheat the grader: every attack is caught, every honest file passes"},
    StaffCommand{"bench", "Time the solutions beside cudaMemcpy, cuBLAS and CUB; needs a GPU"},
    StaffCommand{"measure", "Measure the tables of book/data/h200 on this machine; needs a GPU"},
};

bool is_staff(std::string_view name) {
  return std::ranges::any_of(kStaffCommands,
                             [&](const StaffCommand& command) { return name == command.name; });
}

// What describes all commands is better told by the program that has them all.
bool describes_all(std::string_view name) {
  return name == "completion" || name == "man";
}

} // namespace

void add_staff(CLI::App& app, int&) {
  for (const auto& [name, meaning] : kStaffCommands)
    if (meaning) add_command(app, name, meaning);
}

std::optional<int> hand_over(char** argv) {
  const std::string name = argv[0] && argv[1] ? argv[1] : "";
  if (!is_staff(name) && !describes_all(name)) return std::nullopt;
  std::error_code error;
  const auto self = std::filesystem::read_symlink("/proc/self/exe", error);
  const auto staff = self.parent_path() / "course-staff";
  execv(staff.c_str(), argv);
  if (describes_all(name)) return std::nullopt;
  say_wrong("course " + name,
            errno == ENOENT
                ? "it is for instructors and the course's makers, and is not built yet. "
                  "In the course's folder, ./course " +
                      name + " builds it"
                : staff.string() + " could not be started: " + std::strerror(errno));
  return kSetUp;
}

} // namespace course::cli

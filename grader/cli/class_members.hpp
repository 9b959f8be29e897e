// The members of a class, for commands that are about one of them.
#pragma once

#include "classroom/class_list.hpp"
#include "classroom/settings.hpp"

#include <CLI/App.hpp>

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace course::cli {

// The class, and what its pages call everybody.
struct ClassMembers {
  std::vector<classroom::Member> members;
  // In the same order; numbers for names where it is anonymous.
  std::vector<classroom::Member> shown;
};

ClassMembers class_members(const std::filesystem::path& results, const classroom::Settings&,
                           std::uint64_t seed);

// Gives a command --results, the folder that `course class` wrote, and its end: what `run` says,
// with the course's folder and `results` in full, or why it cannot be run. `results` lives as long
// as `run` does.
void on_results(CLI::App& command, std::string& results, int& exit_code,
                std::function<int(const std::filesystem::path& root)> run);

// The place of who is meant, in both lists; nothing and a sentence where nobody is, or several are.
std::optional<std::size_t> member_named(const ClassMembers&, const std::string& who,
                                        std::string& problem);

} // namespace course::cli

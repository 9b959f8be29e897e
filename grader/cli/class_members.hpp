// The members of a class, for commands that are about one of them.
#pragma once

#include "classroom/class_list.hpp"
#include "classroom/settings.hpp"

#include <cstdint>
#include <filesystem>
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

// The place of who is meant, in both lists; nothing and a sentence where nobody is, or several are.
std::optional<std::size_t> member_named(const ClassMembers&, const std::string& who,
                                        std::string& problem);

} // namespace course::cli

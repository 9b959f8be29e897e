#include "cli/class_members.hpp"

#include "classroom/anonymous.hpp"
#include "language/translate.hpp"

namespace course::cli {

namespace fs = std::filesystem;

ClassMembers class_members(const fs::path& results, const classroom::Settings& settings,
                           std::uint64_t seed) {
  ClassMembers all{classroom::read_members(results), {}};
  all.shown = all.members;
  if (settings.anonymous)
    all.shown = made_anonymous(all.members, classroom::numbers_of(results, all.members, seed));
  return all;
}

// The place of who is meant, in both lists.
std::optional<std::size_t> member_named(const ClassMembers& all, const std::string& who,
                                        std::string& problem) {
  auto meant = classroom::those_meant(all.shown, who);
  if (meant.empty()) meant = classroom::those_meant(all.members, who);
  if (meant.empty()) {
    problem = tr("nobody in the class is {}", who);
    return std::nullopt;
  }
  // Of a team, what is decided of one is decided of all.
  const auto &one = all.members[meant.front()], &other = all.members[meant.back()];
  if (meant.size() > 1 && one.submissions != other.submissions)
    problem =
        tr("{} could be {} or {}", who, all.shown[meant.front()].id, all.shown[meant.back()].id);
  return meant.front();
}

} // namespace course::cli

#include "cli/class_members.hpp"

#include "classroom/anonymous.hpp"
#include "cli/commands.hpp"
#include "cli/exit_codes.hpp"
#include "cli/project.hpp"
#include "cli/screen.hpp"
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

void on_results(CLI::App& command, std::string& results, int& exit_code,
                std::function<int(const std::filesystem::path& root)> run) {
  command.add_option("--results", results, "What course class wrote; results by default")
      ->type_name("FOLDER");
  command.callback(
      [&results, &exit_code, run = std::move(run), name = "course " + command.get_name()] {
        const auto root = find_root(std::string());
        if (!root) {
          exit_code = complain(name, kSetUp, no_root());
          return;
        }
        try {
          results = std::filesystem::canonical(results).string();
          exit_code = run(*root);
        } catch (const std::filesystem::filesystem_error& error) {
          exit_code = not_writable(name, error);
        }
      });
}

} // namespace course::cli

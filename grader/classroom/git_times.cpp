#include "classroom/git_times.hpp"

#include "language/translate.hpp"
#include "system/file.hpp"
#include "system/published_file.hpp"
#include "system/shell.hpp"
#include "system/temporary_folder.hpp"

#include <fmt/format.h>

#include <charconv>
#include <cstdlib>
#include <optional>
#include <sstream>

namespace course::classroom {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t kMostRefs = 1 << 22; // bytes of packed-refs

bool is_commit(const std::string& text) {
  return text.size() == 40 && text.find_first_not_of("0123456789abcdef") == text.npos;
}

std::optional<std::string> first_line(const fs::path& file) {
  auto read = system::read_file(file, kMostRefs);
  const auto* text = std::get_if<std::string>(&read);
  if (!text) return std::nullopt;
  return text->substr(0, text->find('\n'));
}

std::optional<std::string> packed_ref(const fs::path& git, const std::string& name) {
  auto read = system::read_file(git / "packed-refs", kMostRefs);
  const auto* text = std::get_if<std::string>(&read);
  std::istringstream lines(text ? *text : "");
  for (std::string line; std::getline(lines, line);)
    if (line.size() > 41 && line.substr(41) == name) return line.substr(0, 40);
  return std::nullopt;
}

// The commit that HEAD means.
std::optional<std::string> head_of(const fs::path& git) {
  constexpr std::string_view kRef = "ref: ";
  auto head = first_line(git / "HEAD");
  if (head && head->starts_with(kRef)) {
    const auto name = head->substr(kRef.size());
    if (!name.starts_with("refs/") || name.find("..") != name.npos) return std::nullopt;
    head = first_line(git / name);
    if (!head) head = packed_ref(git, name);
  }
  if (!head || !is_commit(*head)) return std::nullopt;
  return head;
}

// A repository of our own that finds the objects of another one.
class Borrowed {
public:
  explicit Borrowed(const fs::path& objects) : folder_("borrowed") {
    system::publish(folder_.path() / "HEAD", "ref: refs/heads/none\n");
    fs::create_directories(folder_.path() / "refs");
    system::publish(folder_.path() / "objects/info/alternates", objects.string() + "\n");
  }
  // The first line that git says; empty when it says nothing.
  std::string ask(const std::string& words) const {
    const auto said = system::run_in_shell(
        "GIT_CONFIG_NOSYSTEM=1 GIT_CONFIG_GLOBAL=/dev/null GIT_NO_REPLACE_OBJECTS=1 "
        "timeout 20 git --git-dir=" +
        system::in_quotes(folder_.path().string()) + " " + words + " </dev/null 2>/dev/null");
    return said.code == 0 ? said.text.substr(0, said.text.find('\n')) : "";
  }

private:
  system::TemporaryFolder folder_;
};

bool is_real_folder(const fs::path& path) {
  std::error_code error;
  return fs::is_directory(fs::symlink_status(path, error));
}

} // namespace

void use_git_times(const fs::path& folder, Submission& submission) {
  const auto git = folder / ".git";
  if (!is_real_folder(folder) || !is_real_folder(git) || !is_real_folder(git / "objects")) return;
  const auto objects = fs::absolute(git / "objects");
  if (objects.string().find('\n') != std::string::npos) return; // a line of a list
  const auto head = head_of(git);
  if (!head) return;
  const Borrowed repository(objects);
  for (auto& file : submission.files) {
    if (!file.refused.empty()) continue;
    const auto committed =
        repository.ask("rev-parse " + system::in_quotes(*head + ":" + file.path));
    const auto here = repository.ask("hash-object --no-filters -- " +
                                     system::in_quotes((folder / file.path).string()));
    if (committed.empty() || committed != here) continue;
    const auto time = repository.ask("log -1 --format=%ct " + *head + " -- " +
                                     system::in_quotes(":(top,literal)" + file.path));
    std::int64_t seconds = 0;
    const auto read = std::from_chars(time.data(), time.data() + time.size(), seconds);
    if (time.empty() || read.ec != std::errc{}) continue;
    file.time = seconds;
    file.clock = language::marked("clock", "Git commit");
  }
}

} // namespace course::classroom

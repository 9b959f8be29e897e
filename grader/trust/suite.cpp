#include "trust/suite.hpp"

#include "lab/labs.hpp"
#include "lab/proofs.hpp"
#include "runtime/protocol.hpp"
#include "system/file.hpp"
#include "system/temporary_folder.hpp"
#include "trust/judgement.hpp"
#include "trust/workers.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <fstream>
#include <optional>
#include <string_view>
#include <system_error>
#include <unistd.h>

namespace course::trust {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

constexpr std::string_view kRoot = "@ROOT@", kProtocol = "@PROTOCOL@";

void replace_all(std::string& text, std::string_view from, const std::string& to) {
  for (std::size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size())
    text.replace(at, from.size(), to);
}

// The file as it is handed in: itself, a copy that knows where the course is or has another name,
// or a link.
class HandedIn {
public:
  HandedIn(const Case& one, const Desk& desk) : path_(one.file) {
    const auto& declared = one.declared;
    auto text = system::content_of(one.file).value_or("");
    const bool asks =
        text.find(kRoot) != std::string::npos || text.find(kProtocol) != std::string::npos;
    if (declared.named.empty() && declared.link.empty() && !asks) return;
    folder_.emplace("course-handed-in");
    path_ =
        folder_->path() / (declared.named.empty() ? one.file.filename().string() : declared.named);
    if (declared.link.empty()) {
      replace_all(text, kRoot, desk.root);
      replace_all(text, kProtocol, std::to_string(runtime::protocol::kVersion));
      std::ofstream(path_, std::ios::binary) << text;
    } else {
      fs::create_symlink(desk.root / declared.link, path_);
    }
  }
  const fs::path& path() const { return path_; }

private:
  std::optional<system::TemporaryFolder> folder_;
  fs::path path_;
};

std::string line_of(const Result& result) {
  const json line = {{"index", result.index},
                     {"needs_gpu", result.needs_gpu},
                     {"complaints", result.complaints},
                     {"verdict", result.verdict},
                     {"seconds", result.seconds}};
  return line.dump(-1, ' ', false, json::error_handler_t::replace);
}

Result result_of(const std::string& line) {
  const auto fields = json::parse(line);
  return {fields["index"], fields["needs_gpu"], fields["complaints"], fields["verdict"],
          fields["seconds"]};
}

Result attempt_or_say_why(const Case& one, std::size_t index, const Desk& desk) {
  try {
    return attempt(one, index, desk);
  } catch (const std::exception& error) {
    return {index, false, {std::string("it could not be tried: ") + error.what()}, "nothing", 0};
  }
}

} // namespace

std::vector<Case> suite(const fs::path& root) {
  std::vector<Case> cases;
  const auto add = [&](const fs::path& name, const fs::path& file, const std::string& exercise) {
    cases.push_back({fs::path(name).replace_extension(), file,
                     declaration(system::content_of(file).value_or(""), exercise)});
  };
  const auto attacks = root / "attacks";
  if (fs::is_directory(attacks))
    for (const auto& entry : fs::recursive_directory_iterator(attacks)) {
      if (entry.path().extension() != ".cu") continue;
      const auto inside = fs::relative(entry.path(), attacks);
      add((*inside.begin() == "odd" ? "controls" : "attacks") / inside, entry.path(), "");
    }
  if (fs::is_directory(root / "labs"))
    for (const auto& exercise : lab::exercises(root))
      for (const auto& file : lab::honest_ways_of(exercise, root))
        add(fs::path("controls") / exercise.lab() / file.filename(), root / file, exercise.id);
  std::ranges::sort(cases, {}, &Case::name);
  return cases;
}

std::vector<Case> chosen(const std::vector<Case>& cases, const std::vector<std::string>& parts) {
  if (parts.empty()) return cases;
  std::vector<Case> some;
  for (const auto& one : cases) {
    const bool wanted = std::ranges::any_of(parts, [&](const std::string& part) {
      return ("/" + one.name + "/").find("/" + part + "/") != std::string::npos;
    });
    if (wanted) some.push_back(one);
  }
  return some;
}

Result attempt(const Case& one, std::size_t index, const Desk& desk) {
  Result result;
  result.index = index;
  result.complaints = one.declared.complaints;
  if (!result.complaints.empty()) return result;
  using Device = Declaration::Device;
  result.needs_gpu = one.declared.device == Device::gpu && !desk.gpu;
  const auto before = system::content_of(one.file);
  const HandedIn handed_in(one, desk);
  Submission submission{one.declared.exercise, handed_in.path(),
                        desk.patience * std::chrono::seconds(one.declared.seconds)};
  submission.gpu = desk.gpu && one.declared.device != Device::emulated;
  const auto trial = hand_in(desk, submission);
  result.complaints = result.needs_gpu ? complaints_without_gpu(one.declared, trial)
                                       : complaints(one.declared, trial);
  if (system::content_of(one.file) != before)
    result.complaints.emplace_back("the file was changed");
  result.verdict = verdict_in(trial.json);
  result.seconds = trial.seconds.count();
  return result;
}

void attempt_all(const std::vector<Case>& cases, const Desk& desk, unsigned jobs,
                 const std::function<void(const Result&)>& each) {
  std::vector<bool> seen(cases.size(), false);
  const auto work = [&](std::uint64_t i) { return line_of(attempt_or_say_why(cases[i], i, desk)); };
  const auto take = [&](const std::string& line) {
    const auto result = result_of(line);
    seen.at(result.index) = true;
    each(result);
  };
  in_processes(0, cases.size(), {jobs, false, {}}, work, take);
  for (std::size_t i = 0; i < cases.size(); ++i)
    if (!seen[i]) each({i, false, {"its worker died"}, "nothing", 0});
}

} // namespace course::trust

#include "trust/judgement.hpp"

#include "system/fields.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <map>

namespace course::trust {
namespace {

using nlohmann::json;

constexpr std::size_t kMostReport = 256 << 10; // bytes; the longest honest one has 20 KiB
constexpr int kInternal = 8;                   // of `course`: the grader itself failed

struct Seen {
  bool valid = false;
  std::string ending;
  std::vector<std::string> failed;
};

Seen seen_in(const std::string& text) {
  Seen seen;
  const auto verdict = json::parse(text, nullptr, false);
  if (!verdict.is_object() || !verdict.contains("verdict") || !verdict.contains("checks"))
    return seen;
  seen.valid = verdict["verdict"].is_string();
  if (seen.valid) seen.ending = verdict["verdict"];
  for (const auto& check : verdict["checks"])
    if (check.value("status", "") == "failed") seen.failed.push_back(check.value("name", ""));
  if (seen.ending == "failed" && seen.failed.empty()) seen.failed = {"none"};
  return seen;
}

std::string words(const Seen& seen) {
  if (!seen.valid) return "nothing";
  std::string text = seen.ending;
  if (seen.ending != "failed") return text;
  for (std::size_t i = 0; i < seen.failed.size(); ++i)
    text += (i == 0 ? " " : ", ") + seen.failed[i];
  return text;
}

int code_of(const std::string& ending) {
  const std::map<std::string, int> codes = {
      {"passed", 0},    {"failed", 1},         {"did_not_compile", 3}, {"crashed", 4},
      {"timed_out", 5}, {"not_measurable", 6}, {"set_up", 7}};
  const auto found = codes.find(ending);
  return found == codes.end() ? -1 : found->second;
}

// Bytes that move a cursor, set a colour, or begin such a sequence.
bool steers(const std::string& text) {
  return std::ranges::any_of(text, [](char c) {
    const auto byte = static_cast<unsigned char>(c);
    return (byte < 0x20 && byte != '\n') || byte == 0x7f;
  });
}

bool steers(const json& value) {
  if (value.is_string()) {
    auto text = value.get<std::string>();
    std::erase(text, '\t');
    return steers(text);
  }
  if (!value.is_structured()) return false;
  return std::ranges::any_of(value, [](const json& part) { return steers(part); });
}

// The library refuses to write what is no UTF-8.
bool is_text(const std::string& text) {
  try {
    const auto ignored = json(text).dump();
    return !ignored.empty();
  } catch (const json::exception&) {
    return false;
  }
}

bool fits(const Wanted& wanted, const Seen& seen, const Trial& trial) {
  if (wanted.ending != seen.ending) return false;
  if (wanted.ending == "failed") {
    auto due = wanted.checks, got = seen.failed;
    std::ranges::sort(due);
    std::ranges::sort(got);
    if (due != got) return false;
  }
  // The report is broken into lines, the JSON is not.
  return trial.out.find(wanted.piece) != std::string::npos ||
         trial.json.find(wanted.piece) != std::string::npos;
}

} // namespace

std::string verdict_in(const std::string& text) {
  return words(seen_in(text));
}

std::vector<std::string> broken_promises(const Trial& trial) {
  std::vector<std::string> broken;
  const auto promise = [&](bool kept, const std::string& otherwise) {
    if (!kept) broken.push_back(otherwise);
  };
  const auto seen = seen_in(trial.json);
  promise(!trial.too_late, "the grader had not ended in time");
  promise(trial.too_late || trial.signal == 0,
          "the grader was ended by signal " + std::to_string(trial.signal));
  promise(trial.exit_code != kInternal, "the grader failed: " + trial.err.substr(0, 200));
  promise(seen.valid || trial.too_late, "there is no verdict");
  promise(!seen.valid || code_of(seen.ending) == trial.exit_code,
          "exit code " + std::to_string(trial.exit_code) + " for a verdict of " + seen.ending);
  for (const auto& [name, text] : {std::pair{"report", trial.out}, {"errors", trial.err}}) {
    promise(!steers(text), std::string("the ") + name + " can steer a terminal");
    promise(is_text(text), std::string("the ") + name + " is not UTF-8");
    promise(text.size() <= kMostReport,
            std::string("the ") + name + " has " + std::to_string(text.size()) + " bytes");
  }
  promise(!steers(json::parse(trial.json, nullptr, false)), "the JSON can steer a terminal");
  promise(trial.leftovers == 0, std::to_string(trial.leftovers) + " processes were left");
  promise(trial.left_behind.empty(), "files were left: " + system::joined(trial.left_behind, ", "));
  return broken;
}

std::vector<std::string> complaints(const Declaration& declared, const Trial& trial) {
  auto wrong = broken_promises(trial);
  const auto seen = seen_in(trial.json);
  const bool as_wanted = std::ranges::any_of(
      declared.wanted, [&](const Wanted& wanted) { return fits(wanted, seen, trial); });
  if (!as_wanted) wrong.push_back("its verdict is " + words(seen));
  for (const auto& piece : declared.never) {
    const bool there = std::ranges::any_of(
        std::vector{trial.out, trial.err, trial.json},
        [&](const std::string& text) { return text.find(piece) != std::string::npos; });
    if (there) wrong.push_back("the output has \"" + piece + "\"");
  }
  return wrong;
}

std::vector<std::string> complaints_without_gpu(const Declaration& declared, const Trial& trial) {
  auto here = declared;
  here.wanted = {{"passed", {}, ""}, {"failed", {"none"}, ""}};
  return complaints(here, trial);
}

} // namespace course::trust

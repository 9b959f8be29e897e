#include "classroom/plan.hpp"

#include "build/published_file.hpp"
#include "classroom/child.hpp"
#include "classroom/ctest_tree.hpp"
#include "classroom/gpus.hpp"
#include "classroom/names.hpp"
#include "classroom/record.hpp"
#include "classroom/roster.hpp"
#include "classroom/submission.hpp"

#include <algorithm>
#include <fstream>
#include <sstream>

namespace course::classroom {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

constexpr std::chrono::seconds kLooking{600}; // into all submissions

void write_plan(const fs::path& results, const Plan& plan) {
  const Json json{{"submissions", encoded(plan.submissions.string())},
                  {"settings", encoded(plan.settings.string())},
                  {"seed", plan.seed},
                  {"device", plan.device}};
  build::publish(results / "plan.json", json.dump(1) + "\n", build::Durable::yes);
}

Record first_record(const Entry& entry) {
  Record record;
  record.id = entry.id;
  record.name = entry.name;
  record.path = entry.path;
  record.blocked = !entry.problem.empty();
  record.read = record.blocked;
  if (record.blocked) record.problems = {entry.problem};
  return record;
}

// A record is begun anew when what it is about is another one now.
void begin_record(const fs::path& results, const Entry& entry) {
  const auto fresh = first_record(entry);
  const auto old = read_record(results, entry.id);
  if (old && old->path == fresh.path && old->blocked == fresh.blocked) return;
  write_record(results, fresh);
}

std::string line_of(const Submission& submission) {
  std::string labs;
  for (const auto& file : submission.files) {
    const auto lab = file.exercise->lab();
    if (!labs.ends_with(lab)) labs += (labs.empty() ? "" : ";") + lab;
  }
  return labs;
}

std::vector<std::string> split(const std::string& line) {
  std::vector<std::string> words;
  std::istringstream stream(line);
  for (std::string word; std::getline(stream, word, ';');) words.push_back(word);
  return words;
}

} // namespace

std::optional<Plan> read_plan(const fs::path& results) {
  const auto text = build::content_of(results / "plan.json");
  if (!text) return std::nullopt;
  try {
    const auto json = Json::parse(*text);
    return Plan{decoded(json.at("submissions").get<std::string>()),
                decoded(json.at("settings").get<std::string>()), json.at("seed"),
                json.at("device")};
  } catch (const Json::exception&) {
    return std::nullopt;
  }
}

std::vector<std::string> read_roster(const fs::path& results) {
  std::vector<std::string> ids;
  std::ifstream file(results / "roster.txt");
  for (std::string id; std::getline(file, id);) ids.push_back(id);
  return ids;
}

std::vector<std::vector<std::string>> labs_of(const std::vector<fs::path>& submissions,
                                              const std::vector<lab::Exercise>& exercises,
                                              const fs::path& scratch) {
  std::vector<std::vector<std::string>> labs;
  while (labs.size() < submissions.size()) {
    const auto first = labs.size();
    const auto wrong = in_child(
        [&] {
          std::ofstream lines(scratch);
          for (auto i = first; i < submissions.size(); ++i)
            lines << line_of(read_submission(submissions[i], exercises)) << std::endl;
        },
        kLooking);
    std::ifstream lines(scratch);
    for (std::string line; labs.size() < submissions.size() && std::getline(lines, line);)
      labs.push_back(split(line));
    if (!wrong.empty() && labs.size() < submissions.size()) labs.emplace_back();
  }
  std::error_code ignored;
  fs::remove(scratch, ignored);
  return labs;
}

std::size_t make_plan(const Planning& planning) {
  const auto& results = planning.results;
  fs::create_directories(results);
  const auto entries = roster(planning.plan.submissions);
  write_plan(results, planning.plan);
  std::vector<fs::path> paths;
  for (const auto& entry : entries) {
    begin_record(results, entry);
    paths.push_back(entry.path);
  }
  const auto labs = labs_of(paths, *planning.exercises, results / ".labs");
  CTestTree tree;
  tree.command = planning.command;
  tree.on_gpus = !planning.gpus.empty();
  build::Draft ids(results / "roster.txt");
  for (std::size_t i = 0; i < entries.size(); ++i) {
    ids.write(entries[i].id + "\n");
    tree.tests.push_back({entries[i].id, {"class"}});
    auto& labels = tree.tests.back().labels;
    labels.insert(labels.end(), labs[i].begin(), labs[i].end());
  }
  ids.publish(build::Durable::yes);
  write_ctest_tree(results / "ctest", tree);
  if (tree.on_gpus)
    build::publish(results / "ctest" / "gpus.json", resource_specification(planning.gpus));
  return entries.size();
}

} // namespace course::classroom

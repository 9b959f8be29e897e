#include "classroom/plan.hpp"

#include "classroom/ctest_tree.hpp"
#include "classroom/gpus.hpp"
#include "classroom/names.hpp"
#include "classroom/record.hpp"
#include "classroom/roster.hpp"
#include "classroom/submission.hpp"
#include "language/translate.hpp"
#include "system/in_child.hpp"
#include "system/published_file.hpp"

#include <algorithm>
#include <fstream>
#include <set>
#include <sstream>

namespace course::classroom {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

constexpr std::chrono::seconds kLooking{600}; // into all submissions

void write_plan(const fs::path& results, const Plan& plan) {
  Json json{{"submissions", encoded(plan.submissions.string())},
            {"seed", plan.seed},
            {"device", plan.device},
            {"formats", plan.formats},
            {"alike_to", Json::array()}};
  for (const auto& folder : plan.alike_to) json["alike_to"].push_back(encoded(folder.string()));
  system::publish(results / "plan.json", json.dump(1) + "\n", system::Durable::yes);
}

Record first_record(const Entry& entry) {
  Record record;
  record.id = entry.id;
  record.name = entry.name;
  record.place = entry.place;
  record.blocked = !entry.problem.empty();
  record.read = record.blocked;
  if (record.blocked) record.problems = {entry.problem};
  return record;
}

// A record is begun anew when what it is about is another one now.
void begin_record(const fs::path& results, const Entry& entry) {
  const auto fresh = first_record(entry);
  const auto old = read_record(results, entry.id);
  if (old && old->place == fresh.place && old->blocked == fresh.blocked) return;
  write_record(results, fresh);
}

// The records of who is no longer there; what they were graded stays in the store.
void remove_others(const fs::path& records, const std::set<std::string>& ids) {
  std::error_code error;
  std::vector<fs::path> gone;
  for (fs::directory_iterator at(records, error), end; !error && at != end; at.increment(error))
    if (at->path().extension() == ".json" && !ids.count(at->path().stem().string()) &&
        at->path().stem() != kSkeletons)
      gone.push_back(at->path());
  for (const auto& record : gone) fs::remove(record, error);
}

// A sentence when the list that Gradescope puts into an export cannot be read.
std::string add_gradescope(const fs::path& submissions, ClassListing& listing) {
  constexpr const char* kList = "submission_metadata.yml";
  const auto text = system::content_of(submissions / kList);
  if (!text) return "";
  auto times = read_platform_times(*text, kList, "");
  if (const auto* wrong = std::get_if<std::string>(&times)) return *wrong;
  auto& all = listing.times[""];
  for (auto& time : std::get<std::vector<PlatformTime>>(times)) all.push_back(std::move(time));
  return "";
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
  const auto text = system::content_of(results / "plan.json");
  if (!text) return std::nullopt;
  try {
    const auto json = Json::parse(*text);
    Plan plan{decoded(json.at("submissions").get<std::string>()), json.at("seed"),
              json.at("device"), json.at("formats")};
    for (const auto& folder : json.at("alike_to"))
      plan.alike_to.emplace_back(decoded(folder.get<std::string>()));
    return plan;
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

std::vector<std::vector<std::string>> labs_of(const std::vector<Place>& submissions,
                                              const std::vector<lab::Exercise>& exercises,
                                              const fs::path& scratch) {
  std::vector<std::vector<std::string>> labs;
  while (labs.size() < submissions.size()) {
    const auto first = labs.size();
    const auto wrong = system::in_child(
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

std::variant<Planned, std::string> make_plan(const Planning& planning) {
  const language::InEnglish as_it_is_kept;
  const auto& results = planning.results;
  fs::create_directories(results);
  const auto found = roster(planning.plan.submissions);
  const auto& entries = found.entries;
  ClassListing listing{entries, planning.people, planning.times};
  if (auto wrong = add_gradescope(planning.plan.submissions, listing); !wrong.empty()) return wrong;
  write_plan(results, planning.plan);
  write_members(results, class_list(listing));
  std::vector<Place> places;
  std::set<std::string> ids;
  for (const auto& entry : entries) {
    begin_record(results, entry);
    places.push_back(entry.place);
    ids.insert(entry.id);
  }
  remove_others(results / "records", ids);
  const auto labs = labs_of(places, *planning.exercises, results / ".labs");
  CTestTree tree;
  tree.command = planning.command;
  tree.on_gpus = !planning.gpus.empty();
  system::Draft lines(results / "roster.txt");
  for (std::size_t i = 0; i < entries.size(); ++i) {
    lines.write(entries[i].id + "\n");
    tree.tests.push_back({entries[i].id, {"class"}});
    auto& labels = tree.tests.back().labels;
    labels.insert(labels.end(), labs[i].begin(), labs[i].end());
  }
  lines.publish(system::Durable::yes);
  write_ctest_tree(results / "ctest", tree);
  if (tree.on_gpus)
    system::publish(results / "ctest" / "gpus.json", resource_specification(planning.gpus));
  return Planned{entries.size(), found.passed_over};
}

} // namespace course::classroom

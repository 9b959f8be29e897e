#include "classroom/plan.hpp"

#include "classroom/ctest_tree.hpp"
#include "classroom/gpus.hpp"
#include "classroom/names.hpp"
#include "classroom/record.hpp"
#include "classroom/roster.hpp"
#include "classroom/submission.hpp"
#include "classroom/text_encoding.hpp"
#include "language/translate.hpp"
#include "system/in_child.hpp"
#include "system/published_file.hpp"

#include <algorithm>
#include <fstream>
#include <iterator>
#include <set>
#include <sstream>
#include <tuple>

namespace course::classroom {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

constexpr std::chrono::seconds kLooking{600}; // into all submissions

void write_plan(const fs::path& results, const Plan& plan) {
  Json json{{"submissions", Json::object()},
            {"seed", plan.seed},
            {"device", plan.device},
            {"formats", plan.formats},
            {"alike_to", Json::array()}};
  for (const auto& [lab, folder] : plan.submissions)
    json["submissions"][lab] = encoded(folder.string());
  for (const auto& folder : plan.alike_to) json["alike_to"].push_back(encoded(folder.string()));
  system::publish(results / "plan.json", json.dump(1) + "\n", system::Durable::yes);
}

Record first_record(const Entry& entry) {
  Record record;
  record.id = entry.record();
  record.label = entry.label();
  record.name = entry.name;
  record.lab = entry.lab;
  record.place = entry.place;
  record.blocked = !entry.problem.empty();
  record.read = record.blocked;
  if (record.blocked) record.problems = {entry.problem};
  return record;
}

// As it was kept, by this version or by the one that called it otherwise: that ID may have been
// another's as well, so what the record is about has to be the same.
std::optional<Record> kept_record(const fs::path& results, const Entry& entry) {
  auto old = read_record(results, entry.record());
  if (!old) old = read_record(results, entry.former());
  return old && old->place == entry.place ? old : std::nullopt;
}

// A record is begun anew when what it is about is another one now.
void begin_record(const fs::path& results, const Entry& entry) {
  auto record = first_record(entry);
  const auto old = kept_record(results, entry);
  if (old && old->blocked == record.blocked && !record.blocked) {
    record = *old;
    record.id = entry.record();
    record.label = entry.label();
    record.name = entry.name;
  }
  write_record(results, record);
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
std::string add_gradescope(const std::string& lab, const fs::path& submissions,
                           ClassListing& listing) {
  constexpr const char* kList = "submission_metadata.yml";
  const auto text = system::content_of(submissions / kList);
  if (!text) return "";
  auto times = read_platform_times(*text, kList, "");
  if (const auto* wrong = std::get_if<std::string>(&times)) return *wrong;
  auto& all = listing.times[lab];
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
    Plan plan{{}, json.at("seed"), json.at("device"), json.at("formats")};
    for (const auto& [lab, folder] : json.at("submissions").items())
      plan.submissions[lab] = decoded(folder.get<std::string>());
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

std::vector<std::vector<std::string>> labs_of(const std::vector<Entry>& submissions,
                                              const std::vector<lab::Exercise>& exercises,
                                              const fs::path& scratch) {
  std::vector<std::vector<std::string>> labs;
  while (labs.size() < submissions.size()) {
    const auto first = labs.size();
    const auto wrong = system::in_child(
        [&] {
          std::ofstream lines(scratch);
          for (auto i = first; i < submissions.size(); ++i) {
            const auto& [place, lab] = std::tie(submissions[i].place, submissions[i].lab);
            lines << line_of(read_submission(place, exercises, {lab})) << std::endl;
          }
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
  const OldTexts old(planning.encoding);
  const auto& results = planning.results;
  fs::create_directories(results);
  Roster all;
  ClassListing listing{{}, planning.people, planning.times};
  for (const auto& [lab, folder] : planning.plan.submissions) {
    auto found = roster(folder);
    for (auto& entry : found.entries) {
      entry.lab = lab;
      all.entries.push_back(std::move(entry));
    }
    std::ranges::move(found.passed_over, std::back_inserter(all.passed_over));
    if (auto wrong = add_gradescope(lab, folder, listing); !wrong.empty()) return wrong;
  }
  const auto& entries = listing.entries = all.entries;
  write_plan(results, planning.plan);
  write_members(results, class_list(listing));
  std::set<std::string> ids;
  for (const auto& entry : entries) {
    begin_record(results, entry);
    ids.insert(entry.record());
  }
  remove_others(results / "records", ids);
  const auto labs = labs_of(entries, *planning.exercises, results / ".labs");
  CTestTree tree;
  tree.command = planning.command;
  tree.on_gpus = !planning.gpus.empty();
  system::Draft lines(results / "roster.txt");
  for (std::size_t i = 0; i < entries.size(); ++i) {
    const auto record = entries[i].record();
    lines.write(record + "\n");
    tree.tests.push_back({entries[i].label(), record, {"class"}});
    auto& labels = tree.tests.back().labels;
    labels.insert(labels.end(), labs[i].begin(), labs[i].end());
  }
  lines.publish(system::Durable::yes);
  write_ctest_tree(results / "ctest", tree);
  if (tree.on_gpus)
    system::publish(results / "ctest" / "gpus.json", resource_specification(planning.gpus));
  return Planned{entries.size(), all.passed_over};
}

} // namespace course::classroom

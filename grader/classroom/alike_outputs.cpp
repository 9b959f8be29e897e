#include "classroom/alike_outputs.hpp"

#include "classroom/alike_page.hpp"
#include "classroom/record.hpp"
#include "classroom/survey.hpp"
#include "report/csv.hpp"
#include "system/published_file.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace course::classroom {
namespace {

namespace fs = std::filesystem;

std::string skeleton_text(const Publishing& about, const std::string& exercise) {
  return system::content_of(about.course / "labs" / (exercise + ".cu")).value_or("");
}

void publish_likenesses(const fs::path& file, const std::vector<report::Likeness>& all) {
  system::Draft draft(file);
  draft.write(report::kExcelMark);
  draft.write("exercise,alike_percent,students,like\r\n");
  for (const auto& one : all) {
    std::string students;
    for (const auto& student : one.students) students += (students.empty() ? "" : " ") + student;
    draft.write(fmt::format("{},{:.0f},{},{}\r\n", report::csv_cell(one.exercise), 100 * one.share,
                            report::csv_cell(students),
                            report::csv_cell(fmt::format("{}", fmt::join(one.sources, "; ")))));
  }
  draft.publish();
}

// The text that a student, or a public file, has for an exercise.
std::string text_of(const Publishing& about, const std::map<std::string, const Member*>& members,
                    const std::string& exercise, const std::string& name) {
  for (const auto& file : about.public_files)
    if (file.exercise == exercise && file.name == name) return file.text;
  const auto member = members.find(name);
  if (member == members.end()) return "";
  const auto work = work_of(about.results, *member->second);
  const auto* row = row_in(work, exercise);
  if (!row || row->digest.empty()) return "";
  return system::content_of(archived(about.results, exercise, row->digest)).value_or("");
}

// A page for each group that the class's page lists, of the two that are closest.
void publish_pairs(const Publishing& about, const std::vector<Member>& members,
                   std::vector<report::Likeness>& all, const report::PageTitle& title) {
  const auto folder = about.results / "alike";
  std::error_code ignored;
  fs::remove_all(folder, ignored);
  std::map<std::string, const Member*> by_id;
  std::map<std::string, std::string> names; // of students; others are called what they are
  for (const auto& member : members) {
    by_id[member.id] = &member;
    names[member.id] = member.person.name;
  }
  std::map<std::string, int> numbers;
  for (std::size_t i = 0; i < std::min(all.size(), report::kLikenesses); ++i) {
    auto& one = all[i];
    SideBySide pair{one.exercise, skeleton_text(about, one.exercise), one.closest, {}};
    for (std::size_t side = 0; side < 2; ++side)
      if (const auto known = names.find(one.closest[side]); known != names.end())
        pair.names[side] = known->second;
    for (std::size_t side = 0; side < 2; ++side)
      pair.texts[side] = text_of(about, by_id, one.exercise, one.closest[side]);
    auto name = one.exercise + "-" + std::to_string(++numbers[one.exercise]) + ".html";
    std::replace(name.begin(), name.end(), '/', '-');
    one.page = "alike/" + name;
    system::publish(folder / name, alike_page(pair, title));
  }
}

} // namespace

std::map<std::string, Alike> alike_to_public(const Publishing& about) {
  std::map<std::string, Alike> all;
  for (const auto& exercise : *about.exercises) {
    // Without its skeleton, everybody would be alike in what it gave.
    if (const auto skeleton = skeleton_text(about, exercise.id); !skeleton.empty())
      all.emplace(exercise.id, Alike(fingerprints(skeleton)));
  }
  for (const auto& file : about.public_files)
    if (const auto at = all.find(file.exercise); at != all.end())
      at->second.add_public(file.name, fingerprints(file.text));
  return all;
}

std::vector<report::Likeness> publish_alike(const Publishing& about,
                                            const std::vector<Member>& members,
                                            const std::map<std::string, Alike>& texts,
                                            const report::PageTitle& title) {
  std::vector<report::Likeness> all;
  for (const auto& [exercise, of_exercise] : texts)
    for (auto& one : of_exercise.find(exercise)) all.push_back(std::move(one));
  std::stable_sort(all.begin(), all.end(), report::comes_first);
  std::map<std::string, std::string> names;
  for (const auto& member : members) names[member.id] = member.person.name;
  for (auto& one : all)
    for (const auto& student : one.students) one.shown.push_back(names[student]);
  publish_pairs(about, members, all, title);
  publish_likenesses(about.results / "similar.csv", all);
  return all;
}

} // namespace course::classroom

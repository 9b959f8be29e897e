#include "report/json.hpp"

#include "device/model/counted.hpp"
#include "judge/counts.hpp"
#include "language/translate.hpp"
#include "report/text.hpp"
#include "report/words/check_words.hpp"
#include "report/words/ended_words.hpp"
#include "report/words/message_words.hpp"
#include "report/words/note_words.hpp"

namespace course::report {
namespace {

using Json = nlohmann::ordered_json;

const char* pattern_name(judge::Pattern pattern) {
  using judge::Pattern;
  switch (pattern) {
  case Pattern::none:
    return "none";
  case Pattern::all_unwritten:
    return "all_unwritten";
  case Pattern::equals_input:
    return "equals_input";
  case Pattern::last_row:
    return "last_row";
  case Pattern::last_column:
    return "last_column";
  case Pattern::past_tiles:
    return "past_tiles";
  case Pattern::all_wrong:
    return "all_wrong";
  }
  return "none";
}

Json dimensions(const device::Dim3& dim) {
  return Json::array({dim.x, dim.y, dim.z});
}

Json measure(const judge::Measure& measure) {
  Json json{{"name", measure.what}, {"value", measure.value}, {"low", measure.low}};
  json["high"] = measure.high == judge::Measure::kNoLimit ? Json() : Json(measure.high);
  return json;
}

// As they were given, never which are right.
Json answers(const judge::facts::Answered& found) {
  auto json = Json::array();
  for (const auto& one : found.said) json.push_back(one ? Json(*one) : Json());
  return json;
}

Json check(const judge::Check& check) {
  const auto said = words(check);
  Json json{{"name", check.name},
            {"status", judge::name(check.status)},
            {"observed", said.observed()},
            {"limit", said.limit},
            {"message", said.message},
            {"points", check.points},
            {"max_points", check.possible ? check.max_points : 0}};
  json["possible"] = check.possible;
  json["shape"] = judge::name(check.shape);
  json["line"] = check.place.line;
  json["measures"] = Json::array();
  for (const auto& one : check.measures) json["measures"].push_back(measure(one));
  if (const auto* found = std::get_if<judge::facts::Answered>(&check.facts))
    json["answers"] = answers(*found);
  return json;
}

Json launch(const device::LaunchCounts& counts) {
  Json json{{"kernel", counts.kernel},
            {"grid", dimensions(counts.grid)},
            {"block", dimensions(counts.block)},
            {"shared_bytes", counts.shared_bytes}};
  add_totals(json, counts);
  return json;
}

// Values are text: JSON has neither NaN nor infinity.
Json wrong(const judge::WrongOutput& output) {
  const auto& result = output.comparison;
  Json json{{"buffer", output.buffer},       {"shape", judge::name(output.shape)},
            {"elements", result.elements},   {"wrong", result.wrong},
            {"unwritten", result.unwritten}, {"pattern", pattern_name(result.pattern)}};
  if (result.first)
    json["first"] = {{"index", result.first->index},
                     {"row", result.first->row},
                     {"col", result.first->col},
                     {"expected", judge::text(result.first->expected, result.first->got)},
                     {"got", judge::text(result.first->got, result.first->expected)},
                     {"unwritten", result.first->unwritten}};
  return json;
}

template <class Items, class Convert>
Json list(const Items& items, Convert convert) {
  Json array = Json::array();
  for (const auto& item : items) array.push_back(convert(item));
  return array;
}

// Foreign text is in many of its strings. Who reads them may print them.
Json harmless(Json json) {
  if (json.is_string()) return printable(json.get<std::string>());
  if (!json.is_structured()) return json;
  for (auto& part : json) part = harmless(std::move(part));
  return json;
}

} // namespace

void add_totals(nlohmann::ordered_json& json, const device::LaunchTotals& totals) {
  for (const device::LaunchTotal& each : device::kLaunchTotals)
    if (each.name) json[each.name] = totals.*each.member;
}

nlohmann::ordered_json json(const device::LineCounts& counts) {
  nlohmann::ordered_json row = {{"kernel", counts.kernel},
                                {"file", counts.file},
                                {"line", counts.line},
                                {"access", name_of(counts.kind)}};
  model::for_each_count(counts, [&](const model::KnownCount& known, std::uint64_t number) {
    row[std::string(known.member)] = number;
    if (known.member == "ideal") row["conflicts"] = counts.conflicts(); // beyond it
  });
  row["ways"] = judge::ways(counts);
  row["width_from_sass"] = counts.width_from_sass;
  row["at_least"] = counts.at_least;
  row["may_fill"] = counts.may_fill;
  return row;
}

nlohmann::ordered_json json(const device::Finding& found) {
  const language::InEnglish for_programs;
  return {{"kind", device::id_of(found.kind)},
          {"severity", device::is_note(found.kind) ? "note" : "error"},
          {"message", in_words(found.message)},
          {"kernel", found.kernel},
          {"file", found.file},
          {"line", found.line},
          {"other_line", found.other_line},
          {"called_from", found.called_from},
          {"block", dimensions(found.block)},
          {"thread", dimensions(found.thread)},
          {"count", found.count},
          {"fatal", found.fatal}};
}

nlohmann::ordered_json json(const judge::Verdict& verdict) {
  const language::InEnglish for_programs;
  return spoken_json(verdict);
}

nlohmann::ordered_json spoken_json(const judge::Verdict& verdict) {
  const auto line = [](const device::LineCounts& counts) { return report::json(counts); };
  const auto finding = [](const device::Finding& found) { return report::json(found); };
  Json json;
  json["schema"] = kSchemaVersion;
  json["exercise"] = verdict.exercise;
  json["file"] = verdict.file;
  json["verdict"] = judge::name(verdict.ending);
  json["device"] = verdict.means.device;
  json["seed"] = verdict.seed;
  json["points"] = verdict.points;
  json["max_points"] = verdict.max_points;
  if (const auto& before = verdict.solved_before)
    json["solved_before"] = {{"points", before->points}, {"max_points", before->max_points}};
  const auto [headline, advice] = ended_words(verdict);
  json["headline"] = headline;
  json["advice"] = advice;
  json["checks"] = list(verdict.checks, check);
  json["wrong_output"] = verdict.wrong ? wrong(*verdict.wrong) : Json();
  json["lines"] = list(verdict.lines, line);
  json["launches"] = list(verdict.launches, launch);
  json["findings"] = list(verdict.findings, finding);
  json["compiler"] = verdict.compiler;
  json["printed"] = verdict.printed;
  json["notes"] = notes(verdict);
  json["means"] = {{"toolkit", verdict.means.toolkit},
                   {"sandbox", verdict.means.sandbox},
                   {"grader", verdict.means.grader}};
  return harmless(std::move(json));
}

std::string json_text(const nlohmann::ordered_json& json) {
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

} // namespace course::report

#include "progress/event.hpp"

#include "judge/counts.hpp"
#include "language/translate.hpp"
#include "report/words/check_words.hpp"
#include "report/words/ended_words.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <chrono>
#include <ctime>

namespace course::progress {
namespace {

using Json = nlohmann::ordered_json;
using judge::Ending;
using judge::Status;

constexpr std::size_t kLongest = 64 * 1024; // of a line; an honest one has less than 4 KB

constexpr std::array kEndings{Ending::passed,  Ending::failed,    Ending::did_not_compile,
                              Ending::crashed, Ending::timed_out, Ending::not_measurable,
                              Ending::set_up};
constexpr std::array kStatuses{Status::passed, Status::failed, Status::not_measured};

// The value of that name; throws like JSON does when there is none.
template <class Values>
auto named(const Values& values, const std::string& word) {
  const auto at =
      std::ranges::find_if(values, [&](auto value) { return judge::name(value) == word; });
  if (at == values.end()) throw Json::other_error::create(501, "no such word: " + word, nullptr);
  return *at;
}

Json json_of(const Run& run) {
  Json json{{"ending", judge::name(run.ending)},
            {"points", run.points},
            {"max_points", run.max_points},
            {"seed", run.seed},
            {"shared_requests", run.shared_requests},
            {"wavefronts", run.wavefronts},
            {"ideal", run.ideal},
            {"global_requests", run.global_requests},
            {"sectors", run.sectors}};
  if (run.time_permille) json["time_permille"] = *run.time_permille;
  if (run.of_requests) json["conflicts"] = {run.of_requests->conflicts, run.of_requests->requests};
  if (!run.answers.empty()) json["answers"] = run.answers;
  if (!run.headline.empty()) json["headline"] = run.headline;
  json["checks"] = Json::array();
  for (const auto& score : run.scores) {
    auto words = Json::array({score.check, judge::name(score.status), score.observed, score.limit});
    if (!score.awaited.empty()) words.push_back(score.awaited);
    json["checks"].push_back(std::move(words));
  }
  if (run.said)
    json["said"] = {{"language", run.said->language},
                    {"headline", run.said->headline},
                    {"checks", run.said->scores}};
  return json;
}

// Takes the place of the English where the reader speaks that language.
void say(const Run::Said& said, Run& run) {
  if (language::english() || said.language != language::spoken()) return;
  run.headline = said.headline;
  for (std::size_t i = 0; i < std::min(said.scores.size(), run.scores.size()); ++i) {
    run.scores[i].observed = said.scores[i][0];
    run.scores[i].limit = said.scores[i][1];
  }
}

Run run_in(const Json& json) {
  Run run;
  run.ending = named(kEndings, json.at("ending"));
  run.points = json.at("points");
  run.max_points = json.at("max_points");
  run.seed = json.at("seed");
  run.shared_requests = json.at("shared_requests");
  run.wavefronts = json.at("wavefronts");
  run.ideal = std::min(json.at("ideal").get<std::uint64_t>(), run.wavefronts);
  run.global_requests = json.at("global_requests");
  run.sectors = json.at("sectors");
  if (json.contains("time_permille")) run.time_permille = json["time_permille"];
  if (json.contains("conflicts"))
    run.of_requests = {json["conflicts"].at(0), json["conflicts"].at(1)};
  if (json.contains("answers")) json["answers"].get_to(run.answers);
  run.headline = json.value("headline", "");
  for (const auto& score : json.at("checks"))
    run.scores.push_back({score.at(0), named(kStatuses, score.at(1)), score.at(2), score.at(3),
                          score.size() > 4 ? score.at(4).get<std::string>() : ""});
  if (json.contains("said")) {
    const auto& said = json["said"];
    run.said = {said.at("language"), said.at("headline"), said.at("checks")};
    say(*run.said, run);
  }
  return run;
}

bool is_time(std::string_view text) {
  constexpr std::string_view kForm = "0000-00-00T00:00:00Z";
  return std::ranges::equal(text, kForm, [](char c, char form) {
    return form == '0' ? '0' <= c && c <= '9' : c == form;
  });
}

Event event_in(const Json& json) {
  Event event;
  event.time = json.at("time");
  event.exercise = json.at("exercise");
  if (!is_time(event.time)) throw Json::other_error::create(501, "no time", nullptr);
  const std::string kind = json.at("event");
  if (kind == "run") {
    event.kind = Event::Kind::run;
    event.run = run_in(json);
  } else if (kind == "hint") {
    event.kind = Event::Kind::hint;
    event.hint = json.at("number");
  } else if (kind == "reset") {
    event.kind = Event::Kind::reset;
  }
  return event;
}

// How many thousandths of the solution's time it took, where that was measured.
std::optional<std::uint64_t> time_of(const judge::Verdict& verdict) {
  const auto* check = judge::find(verdict.checks, judge::CheckKind::time);
  if (!check || check->status == Status::not_measured) return std::nullopt;
  for (const auto& measure : check->measures)
    if (measure.what == "ratio_thousandths") return measure.value;
  return std::nullopt;
}

// Of the execution that the check shows; without that check, of all that was counted.
Run::Conflicts conflicts_of(const judge::Verdict& verdict) {
  const auto* check = judge::find(verdict.checks, judge::CheckKind::conflicts);
  const auto* found = check ? std::get_if<judge::facts::Conflicts>(&check->facts) : nullptr;
  if (found && !check->measures.empty())
    return found->requests == 0 ? Run::Conflicts{0, found->all_requests}
                                : Run::Conflicts{check->measures.front().value, found->requests};
  Run::Conflicts with, all;
  for (const auto& line : verdict.lines) {
    if (!line.kind.is_on(model::Memory::shared)) continue;
    all.requests += line.requests;
    if (line.wavefronts <= line.ideal) continue;
    with.conflicts += line.wavefronts - line.ideal;
    with.requests += line.requests;
  }
  return with.conflicts > 0 ? with : all;
}

std::vector<std::uint64_t> answers_of(const judge::Verdict& verdict) {
  for (const auto& check : verdict.checks) {
    const auto* found = std::get_if<judge::facts::Answered>(&check.facts);
    if (!found || found->missing() > 0) continue;
    std::vector<std::uint64_t> answers;
    for (const auto& one : found->said) answers.push_back(*one);
    return answers;
  }
  return {};
}

bool is_kept(const judge::Check& check) {
  return check.max_points > 0 || check.status == Status::failed;
}

std::optional<Run::Said> said_of(const judge::Verdict& verdict) {
  if (language::english()) return std::nullopt;
  Run::Said said{language::spoken(), report::ended_words(verdict).headline, {}};
  for (const auto& check : verdict.checks) {
    if (!is_kept(check)) continue;
    const auto words = report::words(check);
    said.scores.push_back({words.observed(), words.limit});
  }
  return said;
}

} // namespace

Run run_of(const judge::Verdict& verdict) {
  Run run;
  run.ending = verdict.ending;
  run.points = verdict.points;
  run.max_points = verdict.max_points;
  run.seed = verdict.seed;
  run.said = said_of(verdict);
  const language::InEnglish as_it_is_kept;
  run.headline = report::ended_words(verdict).headline;
  run.time_permille = time_of(verdict);
  run.answers = answers_of(verdict);
  run.of_requests = conflicts_of(verdict);
  for (const auto& check : verdict.checks) {
    if (!is_kept(check)) continue;
    const auto said = report::words(check);
    const auto* awaited = judge::awaited(verdict, check);
    run.scores.push_back({check.name, check.status, said.observed(), said.limit,
                          awaited ? awaited->name : std::string()});
  }
  for (const auto& line : verdict.lines) {
    if (line.kind.is_on(model::Memory::shared)) {
      run.shared_requests += line.requests;
      run.wavefronts += line.wavefronts;
      run.ideal += line.ideal;
    } else if (line.kind.is_on(model::Memory::global)) {
      run.global_requests += line.requests;
      run.sectors += line.sectors;
    }
  }
  return run;
}

std::string now() {
  const auto seconds = std::chrono::system_clock::to_time_t(std::chrono::system_clock::now());
  std::tm utc{};
  gmtime_r(&seconds, &utc);
  std::array<char, 32> text{};
  return {text.data(), std::strftime(text.data(), text.size(), "%Y-%m-%dT%H:%M:%SZ", &utc)};
}

std::string line_of(const Event& event) {
  Json json{{"time", event.time}, {"event", "unknown"}, {"exercise", event.exercise}};
  if (event.kind == Event::Kind::run) {
    json["event"] = "run";
    json.update(json_of(event.run));
  } else if (event.kind == Event::Kind::hint) {
    json["event"] = "hint";
    json["number"] = event.hint;
  } else if (event.kind == Event::Kind::reset) {
    json["event"] = "reset";
  }
  // What came from a student's file may be no UTF-8.
  return json.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
}

std::optional<Event> event_of(std::string_view line) {
  if (line.size() > kLongest) return std::nullopt;
  try {
    const auto json = Json::parse(line);
    if (!json.is_object()) return std::nullopt;
    if (!json.contains("event")) return Event{}; // such as the log's first line
    return event_in(json);
  } catch (const Json::exception&) {
    return std::nullopt;
  }
}

} // namespace course::progress

#include "classroom/decisions.hpp"

#include "language/translate.hpp"
#include "report/graded.hpp"
#include "system/file_lock.hpp"
#include "system/published_file.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <ctime>
#include <pwd.h>
#include <sstream>
#include <unistd.h>

namespace course::classroom {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

constexpr std::array kKinds{"score", "comment", "request", "answer", "file"};
constexpr double kMostPoints = 10'000; // more than any exercise has

std::string this_second() {
  const auto seconds = std::time(nullptr);
  std::tm at{};
  gmtime_r(&seconds, &at);
  return fmt::format("{:04}-{:02}-{:02}T{:02}:{:02}:{:02}Z", at.tm_year + 1900, at.tm_mon + 1,
                     at.tm_mday, at.tm_hour, at.tm_min, at.tm_sec);
}

std::string login() {
  const auto* user = getpwuid(getuid());
  return user ? user->pw_name : std::to_string(getuid());
}

Json line_of(const Decision& decision) {
  Json json{{"number", decision.number},
            {"kind", kKinds[static_cast<std::size_t>(decision.kind)]},
            {"date", decision.date},
            {"by", decision.by}};
  json.update(to_json(decision.student));
  json.update({{"exercise", decision.exercise},
               {"points", report::json_number(decision.points)},
               {"most", decision.most},
               {"words", decision.words},
               {"answers", decision.answers}});
  return json;
}

Decision decision_of(const Json& json) {
  Decision decision;
  decision.number = json.at("number");
  const auto kind = std::find(kKinds.begin(), kKinds.end(), json.at("kind").get<std::string>());
  if (kind == kKinds.end()) throw std::runtime_error("of no kind");
  decision.kind = static_cast<Decision::Kind>(kind - kKinds.begin());
  decision.date = json.at("date");
  decision.student = whom_of(json);
  decision.exercise = json.at("exercise");
  decision.points = json.at("points");
  decision.most = json.value("most", 0);
  decision.by = json.value("by", "");
  decision.words = json.at("words");
  decision.answers = json.value("answers", 0);
  return decision;
}

struct Ledger {
  int last = 0;              // number, of a decision that was forgotten as well (forget.hpp)
  std::vector<Decision> all; // undone ones too
  std::vector<int> undone;
};

std::variant<Ledger, std::string> read_ledger(const fs::path& results) {
  const auto file = results / "decisions.jsonl";
  std::istringstream lines(system::content_of(file).value_or(""));
  Ledger ledger;
  std::size_t number = 0;
  for (std::string line; std::getline(lines, line);) {
    ++number;
    try {
      const auto json = Json::parse(line);
      if (json.contains("undo")) {
        ledger.undone.push_back(json.at("undo"));
      } else if (json.contains("forgotten")) {
        ledger.last = std::max(ledger.last, json.at("forgotten").get<int>());
      } else {
        ledger.all.push_back(decision_of(json));
        ledger.last = std::max(ledger.last, ledger.all.back().number);
      }
    } catch (const std::exception&) {
      return fmt::format("{}:{}: this line is no decision: mend or remove it", file.string(),
                         number);
    }
  }
  return ledger;
}

// A whole file at a time, so that a power failure leaves the old one or the new one.
void append(const fs::path& results, const std::vector<Json>& all) {
  const auto file = results / "decisions.jsonl";
  auto lines = system::content_of(file).value_or("");
  for (const auto& json : all)
    lines += json.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
  system::publish(file, lines, system::Durable::yes);
}

system::FileLock locked(const fs::path& results) {
  return system::FileLock(results / "decisions.lock");
}

} // namespace

std::variant<std::vector<Decision>, std::string> read_decisions(const fs::path& results) {
  auto read = read_ledger(results);
  if (const auto* what = std::get_if<std::string>(&read)) return *what;
  auto& ledger = std::get<Ledger>(read);
  std::erase_if(ledger.all, [&](const Decision& one) {
    return std::find(ledger.undone.begin(), ledger.undone.end(), one.number) != ledger.undone.end();
  });
  return ledger.all;
}

std::vector<Decision> add_decisions(const fs::path& results, std::vector<Decision> decisions) {
  const auto lock = locked(results);
  const auto read = read_ledger(results);
  const auto* ledger = std::get_if<Ledger>(&read);
  int number = ledger ? ledger->last : 0;
  std::vector<Json> lines;
  for (auto& one : decisions) {
    one.number = ++number;
    one.date = this_second();
    if (one.by.empty()) one.by = login();
    lines.push_back(line_of(one));
  }
  append(results, lines);
  return decisions;
}

Decision add_decision(const fs::path& results, Decision decision) {
  return add_decisions(results, {std::move(decision)}).front();
}

bool undo_decision(const fs::path& results, int number, const std::string& by) {
  const auto lock = locked(results);
  const auto read = read_decisions(results);
  const auto* all = std::get_if<std::vector<Decision>>(&read);
  if (!all || std::none_of(all->begin(), all->end(),
                           [&](const Decision& one) { return one.number == number; }))
    return false;
  append(results,
         {Json{{"undo", number}, {"date", this_second()}, {"by", by.empty() ? login() : by}}});
  return true;
}

std::map<std::string, std::string> files_that_count(const std::vector<Decision>& decisions,
                                                    const std::string& record) {
  std::map<std::string, std::string> files;
  for (const auto& one : decisions)
    if (one.kind == Decision::Kind::file && one.student.submissions.contains(record))
      files[one.exercise] = one.words;
  return files;
}

std::variant<double, std::string> points_said(const std::string& text) {
  double points = 0;
  const auto* end = text.data() + text.size();
  const auto read = std::from_chars(text.data(), end, points, std::chars_format::fixed);
  if (text.empty() || read.ec != std::errc() || read.ptr != end || !std::isfinite(points))
    return tr("{} is no number of points: write 45, or 45.5", text);
  if (points < 0) return tr("{} is below 0: points are 0 or more", text);
  if (points > kMostPoints) return tr("{} points are more than any exercise has", text);
  return std::round(100 * points) / 100;
}

std::vector<Decision> open_requests(const std::vector<Decision>& decisions) {
  std::vector<Decision> open;
  for (const auto& one : decisions) {
    const auto answers = [&](const Decision& later) {
      if (later.kind == Decision::Kind::answer) return later.answers == one.number;
      return later.kind == Decision::Kind::score && later.number > one.number &&
             later.student.id == one.student.id && later.exercise == one.exercise;
    };
    if (one.kind == Decision::Kind::request &&
        std::none_of(decisions.begin(), decisions.end(), answers))
      open.push_back(one);
  }
  return open;
}

Decided decided_in(const std::vector<Decision>& decisions, const std::vector<Member>& members) {
  Decided decided;
  for (const auto& one : decisions) {
    const auto about = who_is(one.student, members);
    if (!about) {
      decided.of_nobody.push_back(one);
      continue;
    }
    const auto lab = one.exercise.substr(0, one.exercise.find('/'));
    const auto work = members[*about].submission(lab);
    // A request is of who asks.
    const bool of_team = !one.exercise.empty() && one.kind != Decision::Kind::request;
    for (std::size_t i = 0; i < members.size(); ++i) {
      const bool shares = of_team && !work.empty() && members[i].submission(lab) == work;
      if (i != *about && !shares) continue;
      decided.all.push_back(one);
      decided.all.back().student = whom(members[i]);
    }
  }
  return decided;
}

} // namespace course::classroom

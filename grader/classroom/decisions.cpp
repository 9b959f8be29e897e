#include "classroom/decisions.hpp"

#include "system/file_lock.hpp"
#include "system/published_file.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <ctime>
#include <sstream>

namespace course::classroom {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

constexpr std::array kKinds{"score", "comment", "request"};

std::string today() {
  const auto now = std::time(nullptr);
  std::tm day{};
  localtime_r(&now, &day);
  return fmt::format("{:04}-{:02}-{:02}", day.tm_year + 1900, day.tm_mon + 1, day.tm_mday);
}

Json to_json(const Decision& decision) {
  return {
      {"number", decision.number},     {"kind", kKinds[static_cast<std::size_t>(decision.kind)]},
      {"date", decision.date},         {"student", decision.student},
      {"exercise", decision.exercise}, {"points", decision.points},
      {"words", decision.words}};
}

Decision decision_of(const Json& json) {
  Decision decision;
  decision.number = json.at("number");
  const auto kind = std::find(kKinds.begin(), kKinds.end(), json.at("kind").get<std::string>());
  if (kind == kKinds.end()) throw std::runtime_error("of no kind");
  decision.kind = static_cast<Decision::Kind>(kind - kKinds.begin());
  decision.date = json.at("date");
  decision.student = json.at("student");
  decision.exercise = json.at("exercise");
  decision.points = json.at("points");
  decision.words = json.at("words");
  return decision;
}

struct Ledger {
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
      } else {
        ledger.all.push_back(decision_of(json));
      }
    } catch (const std::exception&) {
      return fmt::format("{}:{}: this line is no decision: mend or remove it", file.string(),
                         number);
    }
  }
  return ledger;
}

// A whole file at a time, so that a power failure leaves the old one or the new one.
void append(const fs::path& results, const Json& json) {
  const auto file = results / "decisions.jsonl";
  const auto line = json.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
  system::publish(file, system::content_of(file).value_or("") + line, system::Durable::yes);
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

Decision add_decision(const fs::path& results, Decision decision) {
  const auto lock = locked(results);
  const auto read = read_ledger(results);
  const auto* ledger = std::get_if<Ledger>(&read);
  decision.number = ledger && !ledger->all.empty() ? ledger->all.back().number + 1 : 1;
  decision.date = today();
  append(results, to_json(decision));
  return decision;
}

bool undo_decision(const fs::path& results, int number) {
  const auto lock = locked(results);
  const auto read = read_decisions(results);
  const auto* all = std::get_if<std::vector<Decision>>(&read);
  if (!all || std::none_of(all->begin(), all->end(),
                           [&](const Decision& one) { return one.number == number; }))
    return false;
  append(results, Json{{"undo", number}, {"date", today()}});
  return true;
}

std::vector<Decision> open_requests(const std::vector<Decision>& decisions) {
  std::vector<Decision> open;
  for (const auto& one : decisions) {
    const auto answers = [&](const Decision& later) {
      return later.kind == Decision::Kind::score && later.number > one.number &&
             later.student == one.student && later.exercise == one.exercise;
    };
    if (one.kind == Decision::Kind::request &&
        std::none_of(decisions.begin(), decisions.end(), answers))
      open.push_back(one);
  }
  return open;
}

} // namespace course::classroom

#include "classroom/forget.hpp"

#include "classroom/csv_table.hpp"
#include "classroom/names.hpp"
#include "classroom/plan.hpp"
#include "classroom/record.hpp"
#include "classroom/text_encoding.hpp"
#include "classroom/whom.hpp"
#include "system/file_lock.hpp"
#include "system/published_file.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <fstream>
#include <functional>
#include <sstream>

namespace course::classroom {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;
using Words = std::set<std::string>;

// By which nobody else is known: a name may be another's as well.
Words sure_words(const Person& person) {
  Words words;
  for (const auto& one : {person.id, person.login, person.email, person.platform})
    if (!one.empty()) words.insert(folded(one));
  return words;
}
Words names_known(const Person& person) {
  Words words{folded(person.name)};
  if (!person.sortable.empty()) words.insert(folded(person.sortable));
  return words;
}

// ---- lists that were given

std::string csv_field(const std::string& cell) {
  if (cell.find_first_of(",\"\n\r") == cell.npos) return cell;
  std::string text = "\"";
  for (const char c : cell) text += c == '"' ? std::string("\"\"") : std::string(1, c);
  return text + "\"";
}

// A table without the rows of somebody; by a name only where nothing surer is known.
std::string table_without(std::string_view bytes, const Person& person) {
  const auto sure = sure_words(person);
  const auto words = sure.empty() ? names_known(person) : sure;
  std::string text;
  bool header = true;
  for (const auto& row : csv_rows_of(bytes)) {
    const bool theirs = !header && std::ranges::any_of(row.cells, [&](const auto& cell) {
      const auto plain = folded(cell);
      // Moodle's "Participant 17"
      return words.contains(plain) || words.contains(plain.substr(plain.rfind(' ') + 1));
    });
    header = false;
    if (theirs) continue;
    for (std::size_t i = 0; i < row.cells.size(); ++i)
      text += (i > 0 ? "," : "") + csv_field(row.cells[i]);
    text += "\n";
  }
  return text;
}

// Canvas' answer, without the submissions of somebody.
std::string canvas_without(const std::string& text, const Person& person) {
  const auto words = sure_words(person);
  auto json = Json::parse(text, nullptr, false);
  if (!json.is_array()) return text;
  Json rest = Json::array();
  for (const auto& one : json) {
    const auto flat = one.flatten();
    const bool theirs = std::ranges::any_of(flat, [&](const Json& value) {
      return words.contains(folded(value.is_string() ? value.get<std::string>() : value.dump()));
    });
    if (!theirs) rest.push_back(one);
  }
  return rest.dump(1) + "\n";
}

// Whether one of these lines ends in one of these words: ":sid: '001'".
bool has_value(const std::string& lines, const Words& words) {
  std::istringstream stream(lines);
  for (std::string line; std::getline(stream, line);) {
    auto value = line.substr(std::min(line.find(": ", line.find(':') + 1) + 2, line.size()));
    std::erase_if(value, [](char c) { return c == '\'' || c == '"'; });
    if (words.contains(folded(value))) return true;
  }
  return false;
}

// Gradescope's list, without the submissions of somebody alone, and without them in a group's.
std::string gradescope_without(const std::string& text, const Person& person) {
  const auto sure = sure_words(person);
  const auto words = sure.empty() ? names_known(person) : sure;
  std::string all, block;
  std::vector<std::string> submitters;
  const auto end = [&] {
    std::string rest;
    std::size_t gone = 0;
    for (const auto& one : submitters) {
      const bool theirs = has_value(one, words);
      gone += theirs;
      if (!theirs) rest += one;
    }
    const auto at = block.find('\0');
    if (at != block.npos) block.replace(at, 1, rest);
    if (submitters.empty() || gone < submitters.size()) all += block;
    block.clear();
    submitters.clear();
  };
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    const auto depth = line.find_first_not_of(' ');
    if (line.starts_with("submission_")) end();
    if (line.starts_with("  - ")) {
      if (submitters.empty()) block += '\0';
      submitters.push_back(line + "\n");
    } else if (!submitters.empty() && depth != line.npos && depth >= 4 && block.ends_with('\0')) {
      submitters.back() += line + "\n";
    } else {
      block += line + "\n";
    }
  }
  end();
  return all;
}

void change_text(const fs::path& file,
                 const std::function<std::string(const std::string&)>& change) {
  const auto text = system::content_of(file);
  if (!text) return;
  if (const auto rest = change(*text); rest != *text)
    system::publish(file, rest, system::Durable::yes);
}

void forget_in_lists(const fs::path& results, const Person& person) {
  change_text(results / "people.csv",
              [&](const auto& text) { return table_without(text, person); });
  std::error_code error;
  std::vector<fs::path> files;
  for (fs::recursive_directory_iterator at(results / "times", error), end; !error && at != end;
       at.increment(error))
    if (at->is_regular_file(error)) files.push_back(at->path());
  for (const auto& file : files)
    change_text(file, [&](const std::string& text) {
      const auto first = text.find_first_not_of(" \r\n\t");
      if (first != text.npos && (text[first] == '[' || text[first] == '{'))
        return canvas_without(text, person);
      if (file.extension() == ".yml" || file.extension() == ".yaml")
        return gradescope_without(text, person);
      return table_without(text, person);
    });
}

// Lines that a condition holds for are left out.
void drop_lines(const fs::path& file, const std::function<bool(const std::string&)>& theirs) {
  change_text(file, [&](const std::string& text) {
    std::string rest;
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);)
      if (!theirs(line)) rest += line + "\n";
    return rest;
  });
}

// Whom "[students."anna@uni.example".labs]" is about; empty: it is another line.
std::string student_of_header(const std::string& line) {
  constexpr std::string_view kTable = "[students.";
  const auto first = line.find_first_not_of(" \t");
  if (first == line.npos || line.compare(first, kTable.size(), kTable) != 0) return "";
  const auto at = first + kTable.size();
  const bool in_quotes = at < line.size() && (line[at] == '"' || line[at] == '\'');
  const auto end = in_quotes ? line.find(line[at], at + 1) : line.find_first_of(".]", at);
  if (end == line.npos) return "";
  const auto from = in_quotes ? at + 1 : at;
  return line.substr(from, end - from);
}

// ---- what was decided, and what happened

// A number stays taken. What was decided of a team's work is said of the next of its members.
void forget_decisions(const fs::path& results, const std::vector<Member>& members, std::size_t at) {
  const system::FileLock lock(results / "decisions.lock");
  change_text(results / "decisions.jsonl", [&](const std::string& text) {
    std::string rest;
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) {
      auto json = Json::parse(line, nullptr, false);
      const bool about = json.is_object() && json.contains("student");
      if (!about || who_is(whom_of(json), members) != at) {
        rest += line + "\n";
        continue;
      }
      const std::string exercise = json.value("exercise", "");
      const auto work = members[at].submission(exercise.substr(0, exercise.find('/')));
      const auto next = std::ranges::find_if(members, [&](const Member& one) {
        return !exercise.empty() && !work.empty() && json.value("kind", "") != "request" &&
               &one != &members[at] &&
               one.submission(exercise.substr(0, exercise.find('/'))) == work;
      });
      if (next == members.end()) {
        rest += Json{{"forgotten", json.at("number")}}.dump() + "\n";
        continue;
      }
      json.update(to_json(whom(*next)));
      rest += json.dump() + "\n";
    }
    return rest;
  });
}

struct Traces {
  Words labels, keys, texts; // of submissions; of verdicts; "05_transpose/2_pad DIGEST"
};

void add_traces(const Record& record, Traces& traces) {
  traces.labels.insert(record.label);
  for (const auto& row : record.rows) {
    traces.keys.insert(row.key);
    traces.texts.insert(row.exercise + " " + row.digest);
  }
}

// Earlier texts, too, as far as the log of events names them.
void add_events(const fs::path& results, const Words& labels, Traces& own, Traces& others) {
  std::ifstream lines(results / "events.jsonl");
  for (std::string line; std::getline(lines, line);) {
    const auto json = Json::parse(line, nullptr, false);
    if (!json.is_object()) continue;
    auto& whose = labels.contains(json.value("student", "")) ? own : others;
    whose.keys.insert(json.value("key", ""));
    whose.texts.insert(json.value("exercise", "") + " " + json.value("digest", ""));
  }
}

// Records that no other member has.
Words own_records(const std::vector<Member>& members, std::size_t at) {
  Words own;
  for (const auto& [lab, record] : members[at].submissions) {
    const bool shared = std::ranges::any_of(members, [&](const Member& other) {
      return &other != &members[at] && std::ranges::any_of(other.submissions, [&](const auto& one) {
        return one.second == record;
      });
    });
    if (!shared) own.insert(record);
  }
  return own;
}

void forget_records(const fs::path& results, const Words& records) {
  Traces own, others;
  std::error_code error;
  for (fs::directory_iterator at(results / "records", error), end; !error && at != end;
       at.increment(error)) {
    const auto id = at->path().stem().string();
    if (const auto record = read_record(results, id))
      add_traces(*record, records.contains(id) ? own : others);
  }
  add_events(results, own.labels, own, others);
  for (const auto& key : own.keys)
    if (key.size() > 2 && !others.keys.contains(key))
      fs::remove(results / "verdicts" / key.substr(0, 2) / (key + ".json"), error);
  for (const auto& text : own.texts) {
    const auto space = text.find(' ');
    if (space + 1 < text.size() && !others.texts.contains(text))
      fs::remove(archived(results, text.substr(0, space), text.substr(space + 1)), error);
  }
  for (const auto& id : records) fs::remove(record_path(results, id), error);
  drop_lines(results / "roster.txt", [&](const auto& line) { return records.contains(line); });
  drop_lines(results / "events.jsonl", [&](const auto& line) {
    const auto json = Json::parse(line, nullptr, false);
    return json.is_object() && own.labels.contains(json.value("student", ""));
  });
  drop_lines(results / "ctest" / "CTestTestfile.cmake", [&](const auto& line) {
    return std::ranges::any_of(own.labels, [&](const auto& label) {
      return line.find("([=[" + label + "]=]") != line.npos;
    });
  });
  fs::remove_all(results / "ctest" / "Testing", error); // its logs name tests
  fs::remove_all(results / "slurm", error);
}

} // namespace

std::set<std::string> words_for(const fs::path& results, const Member& member) {
  constexpr std::size_t kTelling = 5; // digits: fewer are in every table of numbers
  Words words;
  const auto add = [&](const std::string& word) {
    const bool number = word.find_first_not_of("0123456789") == word.npos;
    if (word.size() < (number ? kTelling : 2)) return;
    words.insert(word);
    words.insert(encoded(word));
  };
  const auto& who = member.person;
  for (const auto& one :
       {member.id, who.id, who.login, who.email, who.name, who.sortable, who.platform})
    add(one);
  for (const auto& [lab, id] : member.submissions) {
    add(id);
    if (const auto record = read_record(results, id)) {
      add(record->label);
      add(record->name);
    }
  }
  for (const auto& one : member.called) add(one);
  return words;
}

std::vector<fs::path> handed_in_files(const fs::path& results, const Member& member) {
  const auto all = read_members(results);
  const auto at = std::ranges::find(all, member.id, &Member::id);
  std::vector<fs::path> files;
  if (at == all.end()) return files;
  for (const auto& id : own_records(all, static_cast<std::size_t>(at - all.begin()))) {
    const auto record = read_record(results, id);
    if (!record) continue;
    if (record->place.parts.empty()) files.push_back(record->place.path);
    for (const auto& part : record->place.parts) files.push_back(record->place.path / part.item);
  }
  std::error_code error;
  std::erase_if(files, [&](const auto& file) { return !fs::exists(file, error); });
  return files;
}

void forget_in_settings(const fs::path& file, const std::set<std::string>& words) {
  bool inside = false;
  drop_lines(file, [&](const std::string& line) {
    const auto first = line.find_first_not_of(" \t");
    if (first != line.npos && line[first] == '[') inside = words.contains(student_of_header(line));
    return inside;
  });
}

void forget_in_table(const fs::path& file, const Person& person) {
  change_text(file, [&](const auto& text) {
    // Written anew only where there is somebody to leave out.
    const auto rest = table_without(text, person);
    return csv_rows_of(rest).size() == csv_rows_of(text).size() ? text : rest;
  });
}

void forget(const fs::path& results, const std::vector<Member>& members, std::size_t at) {
  const auto& member = members.at(at);
  const auto words = words_for(results, member);
  forget_decisions(results, members, at);
  forget_records(results, own_records(members, at));
  forget_in_lists(results, member.person);
  forget_in_settings(results / "class.toml", words);
  const auto numbers = system::content_of(results / "numbers.json");
  if (auto json = Json::parse(numbers.value_or(""), nullptr, false); json.is_array()) {
    Json rest = Json::array();
    for (const auto& one : json)
      if (who_is(whom_of(one), members) != at) rest.push_back(one);
    system::publish(results / "numbers.json", rest.dump(1) + "\n", system::Durable::yes);
  }
  auto others = members;
  others.erase(others.begin() + static_cast<std::ptrdiff_t>(at));
  write_members(results, others);
}

} // namespace course::classroom

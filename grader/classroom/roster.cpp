#include "classroom/roster.hpp"

#include "classroom/names.hpp"
#include "classroom/text_encoding.hpp"
#include "language/translate.hpp"

#include <algorithm>
#include <map>
#include <optional>

namespace course::classroom {
namespace {

namespace fs = std::filesystem;

// What a name in a platform's download says.
struct Said {
  std::string student, number, file;
};

bool all_digits(const std::string& text) {
  return !text.empty() && text.find_first_not_of("0123456789") == text.npos;
}

// "Anna Smith_17_assignsubmission_file_2_pad.cu"
std::optional<Said> said_by_moodle(const std::string& name) {
  constexpr std::string_view kMark = "_assignsubmission_";
  const auto mark = name.find(kMark);
  if (mark == name.npos) return std::nullopt;
  const auto before = name.substr(0, mark);
  const auto cut = before.rfind('_');
  if (cut == before.npos || !all_digits(before.substr(cut + 1))) return std::nullopt;
  const auto rest = name.substr(mark + kMark.size()); // "file_", "file_2_pad.cu", "onlinetext"
  const auto end = rest.find('_');
  return Said{before.substr(0, cut), before.substr(cut + 1),
              end == rest.npos ? "" : rest.substr(end + 1)};
}

// "smithanna_12345_678901_2_pad.cu", "smithanna_LATE_12345_678901_2_pad.cu"
std::optional<Said> said_by_canvas(const std::string& name) {
  constexpr std::size_t kShortest = 3; // digits of the number of a file
  std::size_t at = 0;
  const auto part = [&] {
    const auto end = std::min(name.find('_', at), name.size());
    auto text = name.substr(at, end - at);
    at = std::min(end + 1, name.size());
    return text;
  };
  Said said;
  said.student = part();
  said.number = part();
  if (said.number == "LATE") said.number = part();
  const auto file = part();
  said.file = name.substr(at);
  if (said.student.empty() || !all_digits(said.number) || !all_digits(file) ||
      file.size() < kShortest || said.file.empty())
    return std::nullopt;
  return said;
}

bool is_text_or_table(const fs::path& path) {
  static const std::vector<std::string> kPassedOver{".txt",  ".md",   ".csv",  ".yml",
                                                    ".yaml", ".json", ".html", ".xlsx"};
  const auto extension = path.extension().string();
  return std::find(kPassedOver.begin(), kPassedOver.end(), extension) != kPassedOver.end();
}

class RosterReader {
public:
  explicit RosterReader(const fs::path& folder) : folder_(folder) {}

  void look_at(const fs::directory_entry& found) {
    std::error_code error;
    const auto status = found.symlink_status(error);
    const auto file = found.path().filename().string();
    const auto moodle = said_by_moodle(file);
    const auto said = moodle || !fs::is_regular_file(status) ? moodle : said_by_canvas(file);
    if (said && !fs::is_symlink(status)) {
      add_part(*said, file);
    } else if (fs::is_regular_file(status) && is_text_or_table(found.path())) {
      roster_.passed_over.push_back(utf8_of(file));
    } else {
      add_whole(found.path(), status);
    }
  }

  Roster roster() {
    for (auto& [key, entry] : by_key_) roster_.entries.push_back(std::move(entry));
    std::sort(roster_.passed_over.begin(), roster_.passed_over.end());
    return std::move(roster_);
  }

private:
  fs::path folder_;
  Roster roster_;
  std::map<std::string, Entry> by_key_;

  void add_part(const Said& said, const std::string& file) {
    const auto key = said.student + "_" + said.number;
    auto& entry = by_key_[key];
    entry.id = id_of(key);
    entry.name = utf8_of(said.student);
    entry.number = said.number;
    entry.place.path = folder_;
    entry.place.parts.push_back({file, said.file});
    std::sort(entry.place.parts.begin(), entry.place.parts.end(),
              [](const auto& one, const auto& other) { return one.item < other.item; });
  }

  void add_whole(const fs::path& path, fs::file_status status) {
    const auto file = path.filename().string();
    const bool archive = fs::is_regular_file(status) && kind_of(file) == Kind::archive;
    Entry entry;
    const auto name = fs::is_directory(status) ? file : without_archive_suffix(file);
    entry.id = id_of(name);
    entry.name = utf8_of(name);
    entry.place.path = path;
    if (fs::is_symlink(status)) {
      entry.problem = tr("It is a link, not a folder or an archive.");
    } else if (!fs::is_directory(status) && !archive) {
      entry.problem =
          tr("It is neither a folder nor an archive, and no platform's name says whose.");
    }
    const auto [at, first] = by_key_.try_emplace(name, entry);
    if (first) return;
    auto one = at->second.place.path.filename().string(), other = file;
    if (other < one) std::swap(one, other);
    at->second.problem = tr("There are two submissions of this name, {} and {}: which one counts?",
                            utf8_of(one), utf8_of(other));
  }
};

} // namespace

Roster roster(const fs::path& submissions) {
  const auto folder = fs::canonical(submissions);
  RosterReader reading(folder);
  for (const auto& found : fs::directory_iterator(folder))
    if (!found.path().filename().string().starts_with(".")) reading.look_at(found);
  return reading.roster();
}

} // namespace course::classroom

#include "classroom/roster.hpp"

#include "build/digest.hpp"
#include "classroom/names.hpp"
#include "classroom/text_encoding.hpp"
#include "language/translate.hpp"
#include "system/fields.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <set>

namespace course::classroom {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kMark = "_assignsubmission_"; // of Moodle

// What a name in a platform's download says.
struct Said {
  std::string student, number, file;
};

bool all_digits(const std::string& text) {
  return !text.empty() && text.find_first_not_of("0123456789") == text.npos;
}

// "Anna Smith_17_assignsubmission_file_2_pad.cu"
std::optional<Said> said_by_moodle(const std::string& name) {
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

// A student can call a file what a platform calls files: a name that two could have made says
// nothing.
bool says_two_things(const std::string& name) {
  const auto mark = name.find(kMark);
  return mark != name.npos && (name.find(kMark, mark + 1) != name.npos || said_by_canvas(name));
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
    auto said = moodle || !fs::is_regular_file(status) ? moodle : said_by_canvas(file);
    if (says_two_things(file)) said.reset();
    const bool hidden = file.starts_with('.');
    if (hidden && (!fs::is_directory(status) || file == ".git")) return;
    if (hidden) {
      roster_.passed_over.push_back(utf8_of(file));
    } else if (said && !fs::is_symlink(status)) {
      add_part(*said, file, moodle ? Maker::moodle : Maker::canvas);
    } else if (fs::is_regular_file(status) && is_text_or_table(found.path())) {
      roster_.passed_over.push_back(utf8_of(file));
    } else {
      add_whole(found.path(), status);
    }
  }

  Roster roster() {
    for (auto& [name, found] : by_name_) {
      if (found.makers.size() > 1 || found.wholes.size() > 1) name_all(found);
      roster_.entries.push_back(std::move(found.entry));
    }
    std::sort(roster_.passed_over.begin(), roster_.passed_over.end());
    return std::move(roster_);
  }

private:
  enum class Maker { person, canvas, moodle };
  struct Found {
    Entry entry;
    std::set<Maker> makers; // of its name
    std::set<std::string>
        wholes; // folders, archives and what is neither, as their files are called
  };
  fs::path folder_;
  Roster roster_;
  std::map<std::string, Found> by_name_; // one_form

  Found& found(const std::string& own, Maker maker) {
    auto& one = by_name_[one_form(own)];
    one.makers.insert(maker);
    return one;
  }

  void add_part(const Said& said, const std::string& file, Maker maker) {
    const auto own = said.student + "_" + said.number;
    auto& entry = found(own, maker).entry;
    entry.own = own;
    entry.id = id_of(own);
    entry.name = utf8_of(said.student);
    entry.number = said.number;
    entry.lasting = maker == Maker::canvas;
    entry.place.path = folder_;
    entry.place.parts.push_back({file, said.file});
    std::sort(entry.place.parts.begin(), entry.place.parts.end(),
              [](const auto& one, const auto& other) { return one.item < other.item; });
  }

  void add_whole(const fs::path& path, fs::file_status status) {
    const auto file = path.filename().string();
    const bool archive = fs::is_regular_file(status) && kind_of(file) == Kind::archive;
    const auto own = fs::is_directory(status) ? file : without_archive_suffix(file);
    auto& one = found(own, Maker::person);
    one.wholes.insert(file);
    if (*one.wholes.begin() != file || one.makers.size() > 1) return; // name_all() says which
    auto& entry = one.entry;
    entry = {};
    entry.own = own;
    entry.id = id_of(own);
    entry.name = utf8_of(own);
    entry.place.path = path;
    if (says_two_things(file)) {
      entry.problem = tr("Its name could be one of Canvas' or one of Moodle's: whose it is, nobody "
                         "can tell from it.");
    } else if (fs::is_symlink(status)) {
      entry.problem = tr("It is a link, not a folder or an archive.");
    } else if (!fs::is_directory(status) && !archive) {
      entry.problem =
          tr("It is neither a folder nor an archive, and no platform's name says whose.");
    }
  }

  // Two submissions of one name: neither counts, and both are named.
  static void name_all(Found& found) {
    std::vector<std::string> files(found.wholes.begin(), found.wholes.end());
    if (found.makers.size() > 1)
      for (const auto& part : found.entry.place.parts) files.push_back(part.item);
    std::sort(files.begin(), files.end());
    std::set<std::string> seen; // two that a reader could not tell apart are shown by their bytes
    for (const auto& file : files) seen.insert(one_form(file));
    for (auto& file : files) file = seen.size() < files.size() ? encoded(file) : utf8_of(file);
    found.entry.problem =
        files.size() == 2
            ? tr("There are two submissions of this name, {} and {}: which one counts?", files[0],
                 files[1])
            : tr("There are several submissions of this name: {}. Which one counts?",
                 system::joined(files, tr(", ")));
  }
};

} // namespace

std::string Entry::record() const {
  return build::Digest().add("submission").add(lab).add(one_form(own)).hex();
}

std::string Entry::label() const {
  return lab.empty() ? id : lab + "/" + id;
}

std::string Entry::former() const {
  return (lab.empty() ? "" : lab + ".") + former_id_of(own);
}

Roster roster(const fs::path& submissions) {
  const auto folder = fs::canonical(submissions);
  RosterReader reading(folder);
  for (const auto& found : fs::directory_iterator(folder)) reading.look_at(found);
  return reading.roster();
}

} // namespace course::classroom

#include "classroom/kept.hpp"

#include "classroom/text_encoding.hpp"
#include "system/published_file.hpp"

#include <algorithm>
#include <functional>
#include <optional>
#include <set>
#include <stdexcept>

namespace course::classroom {
namespace {

namespace fs = std::filesystem;

constexpr const char* kAll = "all"; // labs
constexpr const char* kNone = "none";

struct Unusable : std::runtime_error {
  using std::runtime_error::runtime_error;
};

struct TimesFile {
  std::string lab; // empty: all
  fs::path file;
};

std::vector<TimesFile> kept_times(const fs::path& results) {
  std::vector<TimesFile> found;
  std::error_code error;
  for (fs::recursive_directory_iterator at(results / "times", error), end; !error && at != end;
       at.increment(error)) {
    const auto lab = at->path().parent_path().filename().string();
    if (at->is_regular_file(error)) found.push_back({lab == kAll ? "" : lab, at->path()});
  }
  std::sort(found.begin(), found.end(),
            [](const auto& one, const auto& other) { return one.file < other.file; });
  return found;
}

// What is given now; of labs that nothing is given for, what was kept.
std::vector<TimesFile> times_of(const fs::path& results, const Given& given,
                                const std::vector<lab::Exercise>& exercises) {
  std::vector<TimesFile> files;
  std::set<std::string> named;
  for (const auto& one : given.times) {
    if (one == kNone) return {};
    const auto read = split_lab(one, exercises);
    if (const auto* wrong = std::get_if<std::string>(&read)) throw Unusable("--times: " + *wrong);
    const auto& [lab, file] = std::get<OfLab>(read);
    files.push_back({lab, file});
    named.insert(lab);
  }
  for (auto& one : kept_times(results))
    if (!named.contains(one.lab)) files.push_back(std::move(one));
  return files;
}

std::string content(const fs::path& file) {
  const auto text = system::content_of(file);
  if (!text) throw Unusable(file.string() + " cannot be read");
  return *text;
}

template <class Value>
Value used(std::variant<Value, std::string> read) {
  if (const auto* wrong = std::get_if<std::string>(&read)) throw Unusable(*wrong);
  return std::get<Value>(std::move(read));
}

// The file given now, or the one that was kept, or none.
fs::path file_of(const std::string& given, const fs::path& kept) {
  if (!given.empty()) return given;
  return fs::exists(kept) ? kept : fs::path();
}

Settings settings_of(const fs::path& results, const Given& given,
                     const std::vector<lab::Exercise>& exercises) {
  const auto file = file_of(given.settings, results / "class.toml");
  if (file.empty() && fs::exists(results / "class.json"))
    throw Unusable((results / "class.json").string() +
                   " is not read: settings are TOML, class.toml. INSTRUCTORS.md has an example");
  if (file.empty()) return {};
  return used(read_settings(content(file), file.string(), exercises));
}

} // namespace

std::variant<Kept, std::string> read_given(const fs::path& results, const Given& given,
                                           const std::vector<lab::Exercise>& exercises) {
  try {
    Kept kept;
    kept.settings = settings_of(results, given, exercises);
    const OldTexts old(kept.settings.encoding);
    if (const auto file = file_of(given.people, results / "people.csv"); !file.empty())
      kept.people = used(read_people(content(file), file.string(), kept.settings.teams));
    for (const auto& [lab, file] : times_of(results, given, exercises)) {
      const auto read =
          used(read_platform_times(content(file), file.filename().string(), kept.settings.zone));
      auto& all = kept.times[lab];
      all.insert(all.end(), read.begin(), read.end());
    }
    return kept;
  } catch (const Unusable& what) {
    return std::string(what.what());
  }
}

std::variant<OfLab, std::string> split_lab(const std::string& given,
                                           const std::vector<lab::Exercise>& exercises) {
  const auto equals = given.find('=');
  if (equals == given.npos || fs::exists(given)) return OfLab{"", given};
  const auto lab = given.substr(0, equals);
  std::set<std::string> meant;
  for (const auto& exercise : exercises) {
    if (exercise.lab() == lab) return OfLab{lab, given.substr(equals + 1)};
    if (!lab.empty() && exercise.lab().starts_with(lab + "_")) meant.insert(exercise.lab());
  }
  if (meant.size() != 1) return "there is no lab " + lab;
  return OfLab{*meant.begin(), given.substr(equals + 1)};
}

void keep_given(const fs::path& results, const Given& given,
                const std::vector<lab::Exercise>& exercises) {
  const auto keep = [](const fs::path& from, const fs::path& to) {
    const auto text = system::content_of(from);
    if (text && system::content_of(to) != text) system::publish(to, *text, system::Durable::yes);
  };
  if (!given.settings.empty()) keep(given.settings, results / "class.toml");
  if (!given.people.empty()) keep(given.people, results / "people.csv");
  if (given.times.empty()) return;
  const auto fresh = results / ".times"; // the files given may be the ones that were kept
  fs::remove_all(fresh);
  fs::create_directories(fresh);
  for (const auto& [lab, file] : times_of(results, given, exercises)) {
    auto to = fresh / (lab.empty() ? kAll : lab) / file.filename();
    while (fs::exists(to)) to.replace_filename("other_" + to.filename().string());
    keep(file, to);
  }
  fs::remove_all(results / "times");
  fs::rename(fresh, results / "times");
}

} // namespace course::classroom

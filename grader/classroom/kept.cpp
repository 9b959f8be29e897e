#include "classroom/kept.hpp"

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

struct Unusable : std::runtime_error {
  using std::runtime_error::runtime_error;
};

struct TimesFile {
  std::string lab; // empty: all
  fs::path file;
};

TimesFile times_file(const std::string& given) {
  const auto equals = given.find('=');
  if (equals == given.npos || fs::exists(given)) return {"", given};
  return {given.substr(0, equals), given.substr(equals + 1)};
}

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
    if (const auto file = file_of(given.people, results / "people.csv"); !file.empty())
      kept.people = used(read_people(content(file), file.string()));
    auto files = kept_times(results);
    if (!given.times.empty()) files.clear();
    for (const auto& one : given.times) files.push_back(times_file(one));
    std::set<std::string> labs{""};
    for (const auto& exercise : exercises) labs.insert(exercise.lab());
    for (const auto& [lab, file] : files) {
      if (!labs.count(lab)) throw Unusable("--times: there is no lab " + lab);
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

void keep_given(const fs::path& results, const Given& given) {
  const auto keep = [](const fs::path& from, const fs::path& to) {
    const auto text = system::content_of(from);
    if (text && system::content_of(to) != text) system::publish(to, *text, system::Durable::yes);
  };
  if (!given.settings.empty()) keep(given.settings, results / "class.toml");
  if (!given.people.empty()) keep(given.people, results / "people.csv");
  if (given.times.empty()) return;
  const auto fresh = results / ".times"; // the files given may be the ones that were kept
  fs::remove_all(fresh);
  for (const auto& one : given.times) {
    const auto [lab, file] = times_file(one);
    keep(file, fresh / (lab.empty() ? kAll : lab) / file.filename());
  }
  fs::remove_all(results / "times");
  fs::rename(fresh, results / "times");
}

} // namespace course::classroom

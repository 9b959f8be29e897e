#include "language/translate.hpp"

#include "system/environment.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <clocale>
#include <cstdlib>
#include <filesystem>
#include <libintl.h>

namespace course::language {
namespace {

namespace fs = std::filesystem;

constexpr const char* kDomain = "course";

std::string current; // "": English
thread_local int asked_for_english = 0;

// Beside the programs: build/release/share in a clone, lib/shared-memory-course/share in a package.
fs::path folder() {
  std::error_code error;
  return fs::read_symlink("/proc/self/exe", error).parent_path().parent_path() / "share" / kDomain /
         "locale";
}

// A locale that nobody has installed: the build has it, beside the catalogues (po/CMakeLists.txt).
bool set_own_locale() {
  const auto before = system::environment("LOCPATH");
  setenv("LOCPATH", folder().c_str(), 1);
  const bool set = std::setlocale(LC_MESSAGES, "course.UTF-8") != nullptr;
  if (before) setenv("LOCPATH", before->c_str(), 1);
  if (!before) unsetenv("LOCPATH");
  return set;
}

bool has_catalogue() { // its header is the translation of nothing
  return *dgettext(kDomain, "") != '\0';
}

// gettext looks into no catalogue in the locale "C" nor, from glibc 2.39 on, in "C.UTF-8", which
// may be the only one that is installed. In another one it takes the language from LANGUAGE, so
// that the locale of that language need not be there.
bool leave_c() {
  constexpr std::array kLocales{"C.UTF-8", "C.utf8", "en_US.UTF-8", ""};
  for (const char* locale : kLocales)
    if (std::setlocale(LC_CTYPE, locale)) break; // in whose characters the system words its errors
  if (set_own_locale() && has_catalogue()) return true;
  for (const char* locale : kLocales)
    if (std::setlocale(LC_MESSAGES, locale) && has_catalogue()) return true;
  std::setlocale(LC_MESSAGES, "C");
  return false;
}

// gettext's own way to write a message and its context as one.
std::string key(const char* context, const char* english) {
  return fmt::format("{}\004{}", context, english);
}

std::string filled(const char* translation, const char* english, fmt::format_args args) {
  if (translation != english) {
    try {
      return fmt::vformat(translation, args);
    } catch (const fmt::format_error&) { // messages.py would have refused it
    }
  }
  return fmt::vformat(english, args);
}

const char* looked_up(const std::string& key, const char* english) {
  const char* found = dgettext(kDomain, key.c_str());
  return found == key.c_str() ? english : found;
}

// "zh-CN.UTF-8@x" -> "zh_CN"
std::string plain(std::string_view wish) {
  std::string name(wish.substr(0, wish.find_first_of(".@")));
  std::ranges::replace(name, '-', '_');
  return name;
}

bool is_english(const std::string& name) {
  return name == "C" || name == "POSIX" || name == "en" || name.starts_with("en_");
}

} // namespace

bool speak(const std::string& language) {
  current.clear();
  std::setlocale(LC_MESSAGES, "C"); // the system's own words, too
  if (language.empty()) return true;
  const auto all = catalogues();
  if (std::ranges::find(all, language) == all.end()) return false;
  setenv("LANGUAGE", language.c_str(), 1);
  bindtextdomain(kDomain, folder().c_str());
  bind_textdomain_codeset(kDomain, "UTF-8");
  if (!leave_c()) return false;
  current = language;
  return true;
}

const std::string& spoken() {
  return current;
}

std::vector<std::string> catalogues() {
  std::vector<std::string> found;
  std::error_code error;
  for (fs::directory_iterator at(folder(), error), end; !error && at != end; at.increment(error))
    if (fs::exists(at->path() / "LC_MESSAGES" / fmt::format("{}.mo", kDomain), error))
      found.push_back(at->path().filename().string());
  std::ranges::sort(found);
  return found;
}

std::optional<std::string> fitting(std::string_view wishes, const std::vector<std::string>& among) {
  for (bool more = true; more;) {
    const auto colon = wishes.find(':');
    const auto wish = plain(wishes.substr(0, colon));
    more = colon != wishes.npos;
    if (more) wishes.remove_prefix(colon + 1);
    if (is_english(wish)) return "";
    if (wish.empty()) continue;
    const auto fits = [&](const std::string& name) {
      return name == wish || name.starts_with(wish + "_") || wish.starts_with(name + "_");
    };
    const auto found = std::ranges::find_if(among, fits);
    if (found != among.end()) return *found;
  }
  return std::nullopt;
}

std::string asked_by_environment() {
  if (const auto own = system::environment(kVariable).value_or(""); !own.empty()) return own;
  std::string locale;
  for (const char* name : {"LC_ALL", "LC_MESSAGES", "LANG"}) {
    locale = system::environment(name).value_or("");
    if (!locale.empty()) break;
  }
  if (locale == "C" || locale == "POSIX") return locale;
  const auto list = system::environment("LANGUAGE").value_or("");
  return list.empty() ? locale : list;
}

InEnglish::InEnglish() {
  ++asked_for_english;
}

InEnglish::~InEnglish() {
  --asked_for_english;
}

bool english() {
  return current.empty() || asked_for_english > 0;
}

std::string translated(const char* text) {
  return english() ? text : dgettext(kDomain, text);
}

std::string translated(const char* context, const char* text) {
  return english() ? text : looked_up(key(context, text), text);
}

std::string formatted(const char* text, fmt::format_args args) {
  return filled(english() ? text : dgettext(kDomain, text), text, args);
}

std::string formatted(const char* context, const char* text, fmt::format_args args) {
  return filled(english() ? text : looked_up(key(context, text), text), text, args);
}

std::string formatted(const char* one, const char* many, std::uint64_t count,
                      fmt::format_args args) {
  const char* plain = count == 1 ? one : many;
  if (english()) return fmt::vformat(plain, args);
  const char* found = dngettext(kDomain, one, many, static_cast<unsigned long>(count));
  return filled(found, plain, args);
}

} // namespace course::language

#include "language/translate.hpp"

#include <doctest/doctest.h>

#include <cerrno>
#include <clocale>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <set>

namespace course::language {
namespace {

// Chinese while it exists. Without msgfmt there is no catalogue, and these tests fail and say so.
struct InChinese {
  InChinese() {
    REQUIRE_MESSAGE(speak("zh_CN"), "no catalogue: is the package gettext installed?");
  }
  ~InChinese() { speak(""); }
};

struct Environment {
  Environment(const char* all, const char* lang, const char* language, const char* own = nullptr)
      : before(std::getenv(kVariable) ? std::getenv(kVariable) : "") {
    set(kVariable, own);
    set("LC_ALL", all);
    set("LC_MESSAGES", nullptr);
    set("LANG", lang);
    set("LANGUAGE", language);
  }
  ~Environment() {
    for (const char* name : {"LC_ALL", "LC_MESSAGES", "LANG", "LANGUAGE"}) unsetenv(name);
    set(kVariable, before.empty() ? nullptr : before.c_str());
  }
  static void set(const char* name, const char* value) {
    if (value) setenv(name, value, 1);
    if (!value) unsetenv(name);
  }
  std::string before; // of the course's own: tests are run with it
};

} // namespace

TEST_CASE("without a catalogue messages are what is written") {
  CHECK(tr("needs a GPU") == "needs a GPU");
  CHECK(tr("{} of {} points", 45, 60) == "45 of 60 points");
  CHECK(trn("{} pass", "{} passes", 1, 1) == "1 pass");
  CHECK(trn("{} pass", "{} passes", 2, 2) == "2 passes");
  CHECK(trc("of lanes", "read") == "read");
  CHECK_FALSE(speak("xx_XX"));
  CHECK(english());
}

TEST_CASE("with a catalogue they are translated, and what it does not have stays") {
  const InChinese here;
  CHECK(tr("needs a GPU") == "需要 GPU");
  CHECK(tr("{} of {} points", 45, 60) == "45 分（满分 60 分）");
  CHECK(trn("{} pass", "{} passes", 2, 2) == "2 趟");
  CHECK(trc("of lanes", "read") == "读取");
  CHECK(translated("of lanes", "read") == "读取");
  CHECK(tr("no catalogue has {}", "this") == "no catalogue has this");
  CHECK(trc("no context", "read") == "read");
  CHECK_FALSE(english());
}

TEST_CASE("the locale is not one that newer gettexts take for that of English") {
  const InChinese here;
  const std::string locale = std::setlocale(LC_MESSAGES, nullptr);
  CHECK_MESSAGE(locale.substr(0, 2) != "C.", locale);
}

TEST_CASE("who goes back to English has the system's errors in English, too") {
  { const InChinese here; }
  CHECK(std::string(std::strerror(ENOTDIR)) == "Not a directory");
}

TEST_CASE("what programs read is English all the same") {
  const InChinese here;
  {
    const InEnglish for_programs;
    CHECK(tr("needs a GPU") == "needs a GPU");
    CHECK(trn("{} pass", "{} passes", 2, 2) == "2 passes");
    CHECK(trc("of lanes", "read") == "read");
  }
  CHECK(tr("needs a GPU") == "需要 GPU");
}

TEST_CASE("a wish fits a catalogue by its language, and its country where it names one") {
  const std::vector<std::string> both{"pt_BR", "zh_CN"};
  CHECK(fitting("zh", both) == "zh_CN");
  CHECK(fitting("zh-CN", both) == "zh_CN");
  CHECK(fitting("zh_CN.UTF-8", both) == "zh_CN");
  CHECK(fitting("zh_CN.UTF-8", {"zh"}) == "zh");
  CHECK(fitting("de:zh_CN", both) == "zh_CN");
  CHECK(fitting("en_GB:zh_CN", both) == "");
  CHECK(fitting("C.UTF-8", both) == "");
  CHECK_FALSE(fitting("zh_TW", both));
  CHECK_FALSE(fitting("de", both));
  CHECK_FALSE(fitting("", both));
}

TEST_CASE("the environment asks by LANGUAGE, and by the locale without it; C insists on English") {
  {
    const Environment here(nullptr, "zh_CN.UTF-8", nullptr);
    CHECK(asked_by_environment() == "zh_CN.UTF-8");
  }
  {
    const Environment here(nullptr, "en_US.UTF-8", "zh:en");
    CHECK(asked_by_environment() == "zh:en");
  }
  {
    const Environment here("C", "zh_CN.UTF-8", "zh");
    CHECK(asked_by_environment() == "C");
  }
  {
    const Environment here("", "zh_CN.UTF-8", "");
    CHECK(asked_by_environment() == "zh_CN.UTF-8");
  }
  {
    const Environment here("C", "en_US.UTF-8", "en", "zh");
    CHECK(asked_by_environment() == "zh");
  }
  {
    const Environment here(nullptr, nullptr, nullptr);
    CHECK(asked_by_environment() == "");
  }
}

TEST_CASE("each catalogue of the sources is there") {
  std::set<std::string> sources;
  for (const auto& file : std::filesystem::directory_iterator(COURSE_SOURCE_DIR "/po"))
    if (file.path().extension() == ".po") sources.insert(file.path().stem().string());
  const auto built = catalogues();
  CHECK(std::set<std::string>(built.begin(), built.end()) == sources);
}

} // namespace course::language

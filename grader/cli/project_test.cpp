#include "cli/project.hpp"

#include <doctest/doctest.h>

#include <cstdlib>
#include <unistd.h>

namespace course::cli {
namespace {

namespace fs = std::filesystem;

// Two courses side by side, and a place that is in neither.
struct Places {
  fs::path base = fs::temp_directory_path() / ("project_" + std::to_string(getpid()));
  Places() {
    for (const char* name : {"one/labs/05_transpose", "one/build/release/bin", "two/labs", "other"})
      fs::create_directories(base / name);
  }
  ~Places() { fs::remove_all(base); }
};

// An environment variable for the time of a test.
struct Variable {
  const char* name;
  std::string before;
  bool was_set;
  Variable(const char* variable, const char* value) : name(variable) {
    const char* old = std::getenv(name);
    was_set = old != nullptr;
    if (old) before = old;
    if (value) {
      setenv(name, value, 1);
    } else {
      unsetenv(name);
    }
  }
  ~Variable() {
    if (was_set) {
      setenv(name, before.c_str(), 1);
    } else {
      unsetenv(name);
    }
  }
};

} // namespace

TEST_CASE("the course is found above the executable, from wherever it is called") {
  const Places places;
  const auto executable = places.base / "one/build/release/bin/course";
  CHECK(find_root(std::nullopt, executable, places.base / "other") == places.base / "one");
  CHECK(find_root(std::nullopt, executable, places.base / "two") == places.base / "one");
}

TEST_CASE("labs of the same course at the working folder are told when they are passed over") {
  const Places places;
  const auto one = places.base / "one";
  fs::create_directories(places.base / "copy/labs/05_transpose");
  CHECK(passed_over(one, places.base / "copy/labs/05_transpose") == places.base / "copy");
  CHECK_FALSE(passed_over(one, one / "labs/05_transpose")); // its own
  CHECK_FALSE(passed_over(one, places.base / "two"));       // labs of something else
  CHECK_FALSE(passed_over(one, places.base / "other"));     // none at all
}

TEST_CASE("an executable outside any course looks above the working folder") {
  const Places places;
  CHECK(find_root(std::nullopt, "/usr/bin/course", places.base / "one/labs/05_transpose") ==
        places.base / "one");
  CHECK_FALSE(find_root(std::nullopt, "/usr/bin/course", places.base / "other"));
}

TEST_CASE("a folder that is given is taken, or refused, and no other is looked for") {
  const Places places;
  const auto executable = places.base / "one/build/release/bin/course";
  CHECK(find_root(places.base / "two", executable, "/") == places.base / "two");
  CHECK_FALSE(find_root(places.base / "other", executable, places.base / "one"));
}

TEST_CASE("the cache is where it is asked to be, else where caches are") {
  const Places places;
  const Variable course("COURSE_CACHE", "/a/b"), xdg("XDG_CACHE_HOME", "/c"),
      home("HOME", places.base.c_str());
  CHECK(cache_folder() == "/a/b");
  const Variable none("COURSE_CACHE", nullptr);
  CHECK(cache_folder() == "/c/shared_memory_course");
  const Variable relative("XDG_CACHE_HOME", "c");
  CHECK(cache_folder() == places.base / ".cache/shared_memory_course");
  const Variable nobody("HOME", "/proc/nonexistent"); // a container's user has no home
  CHECK(cache_folder().parent_path() == fs::temp_directory_path());
  const Variable homeless("HOME", nullptr);
  CHECK(cache_folder().parent_path() == fs::temp_directory_path());
}

TEST_CASE("a part of the build that is missing is named") {
  lab::Workplace place;
  place.host.runner = "/nowhere/course_host";
  CHECK(missing(place).find("/nowhere/course_host") != std::string::npos);
}

} // namespace course::cli

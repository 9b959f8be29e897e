#include "serve/class_folder.hpp"

#include "lab/labs.hpp"
#include "system/file.hpp"
#include "system/temporary_folder.hpp"

#include <doctest/doctest.h>

#include <string>

namespace {

using namespace course;
using namespace course::serve;
namespace fs = std::filesystem;

struct WrittenClass {
  system::TemporaryFolder folder{"course_class"};

  WrittenClass() {
    write("roster.csv", "id,name,email,login\n4711,Anna Smith,anna@uni.example,asmith\n");
    write("instructors.csv", "id,name,login\nprof,Pat Doe,pdoe\n");
  }
  void write(const char* name, const std::string& text) const {
    system::write_file(path() / name, text);
  }
  const fs::path& path() const { return folder.path(); }
  ClassFolder read() const { return read_class(path(), lab::exercises(COURSE_SOURCE_DIR)); }
  ClassFault fault() const {
    try {
      read();
    } catch (const ClassError& error) {
      return error.fault;
    }
    FAIL("the class is taken");
    return {};
  }
};

} // namespace

TEST_CASE("a server in front may name somebody by login, address or ID, in any case") {
  WrittenClass folder;
  folder.write("roster.csv", "id,name,email,login\n1,Anna,a@uni.example,bert\n"
                             "bert,Bert,b@uni.example,\n");
  folder.write("class.toml", "");
  const auto names = folder.read().by_name;
  CHECK(names.at("a@uni.example") == "1");
  CHECK(names.at("b@uni.example") == "bert");
  CHECK(names.at("pdoe") == "prof");
  CHECK_FALSE(names.contains("bert")); // it is both of them
}

TEST_CASE("what cannot be used of a class says where and why") {
  WrittenClass folder;
  SUBCASE("no roster") {
    fs::remove(folder.path() / "roster.csv");
    CHECK(folder.fault().why == ClassFault::Why::no_roster);
  }
  SUBCASE("a roster of names alone") {
    folder.write("roster.csv", "name\nAnna Smith\n");
    const auto fault = folder.fault();
    CHECK(fault.why == ClassFault::Why::no_plain_name);
    CHECK(fault.who == "Anna Smith");
    CHECK(fault.where == (folder.path() / "roster.csv").string() + ":2");
  }
  SUBCASE("an ID that is no folder's name") {
    folder.write("roster.csv", "id,name\n../4712,Anna Smith\n");
    CHECK(folder.fault().why == ClassFault::Why::no_plain_name);
  }
  SUBCASE("a student who instructs") {
    folder.write("instructors.csv", "id,name\n4711,Anna Smith\n");
    const auto fault = folder.fault();
    CHECK(fault.why == ClassFault::Why::twice);
    CHECK(fault.who == "4711");
    CHECK(fault.where == (folder.path() / "instructors.csv").string() + ":2");
  }
  SUBCASE("an exception for nobody") {
    folder.write("class.toml", "[students.carl]\nextra_days = 2\n");
    const auto fault = folder.fault();
    CHECK(fault.why == ClassFault::Why::unknown);
    CHECK(fault.who == "carl");
  }
  SUBCASE("a setting that is misspelt") {
    folder.write("class.toml", "zome = \"UTC\"\n");
    const auto fault = folder.fault();
    CHECK(fault.why == ClassFault::Why::unreadable);
    CHECK(fault.where.find("class.toml") != std::string::npos);
  }
}

TEST_CASE("a file that somebody wrote has another stamp, and one that is gone too") {
  const WrittenClass folder;
  const auto before = stamp_of_class(folder.path());
  CHECK(stamp_of_class(folder.path()) == before);
  folder.write("class.toml", "course = \"CS 420\"\n");
  const auto written = stamp_of_class(folder.path());
  CHECK(written != before);
  fs::remove(folder.path() / "class.toml");
  CHECK(stamp_of_class(folder.path()) != written);
}

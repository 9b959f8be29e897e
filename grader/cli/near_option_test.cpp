#include "cli/near_option.hpp"

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>

#include <doctest/doctest.h>

#include <vector>

namespace course::cli {
namespace {

// A command with options, and one that runs a program with the program's own.
struct Commands {
  CLI::App app{"", "course"};
  std::string text;
  bool flag = false;
  Commands() {
    auto* banks = app.add_subcommand("banks");
    banks->add_option("FILE", text);
    banks->add_option("--access", text);
    banks->add_option("--index", text);
    banks->add_flag("--all", flag);
    auto* run = app.add_subcommand("run");
    run->prefix_command();
    run->add_option("--limit", text);
  }
  UnknownOption of(std::vector<const char*> words) {
    words.insert(words.begin(), "course");
    return unknown_option(app, static_cast<int>(words.size()), words.data());
  }
};

} // namespace

TEST_CASE("a mistyped option is named, with its command and the nearest that there is") {
  Commands commands;
  const auto slip = commands.of({"banks", "--index", "33*t", "--acces", "store"});
  CHECK(slip.command == "course banks");
  CHECK(slip.typed == "--acces");
  CHECK(slip.near == "--access");
  CHECK(commands.of({"banks", "--al"}).near == "--all");
  CHECK(commands.of({"banks", "--idnex=3"}).near == "--index");
  CHECK(commands.of({"banks", "--idnex=3"}).typed == "--idnex");
  CHECK(commands.of({"--acces", "banks"}).command == "course");
}

TEST_CASE("an option that is near to none is named alone") {
  Commands commands;
  const auto slip = commands.of({"banks", "--temperature", "3"});
  CHECK(slip.typed == "--temperature");
  CHECK(slip.near.empty());
  CHECK(commands.of({"banks", ("--" + std::string(1000, 'a')).c_str()}).near.empty());
}

TEST_CASE("a value, what stands behind two dashes and a program's own words are no options") {
  Commands commands;
  CHECK(commands.of({"banks", "--index", "--acces"}).typed.empty());
  CHECK(commands.of({"banks", "--", "--acces"}).typed.empty());
  CHECK(commands.of({"run", "--limit", "20", "./program", "--acces"}).typed.empty());
  CHECK(commands.of({"run", "--limi", "20", "./program"}).near == "--limit");
  CHECK(commands.of({"banks", "-5", "--all"}).typed.empty());
}

} // namespace course::cli

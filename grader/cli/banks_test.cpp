#include "cli/commands.hpp"

#include <doctest/doctest.h>

#include <CLI/CLI.hpp>
#include <fstream>
#include <iostream>
#include <sstream>

namespace course::cli {
namespace {

constexpr const char* kPatterns = COURSE_SOURCE_DIR "/grader/device/model/data/access_patterns.csv";

// Takes over standard input, output and error while it lives.
struct Streams {
  explicit Streams(const std::string& input = "") : in(input) {}
  ~Streams() {
    std::cin.rdbuf(old_in);
    std::cout.rdbuf(old_out);
    std::cerr.rdbuf(old_err);
  }

  std::istringstream in;
  std::ostringstream out, err;
  std::streambuf* old_in = std::cin.rdbuf(in.rdbuf());
  std::streambuf* old_out = std::cout.rdbuf(out.rdbuf());
  std::streambuf* old_err = std::cerr.rdbuf(err.rdbuf());
};

struct Outcome {
  int exit_code = -1;
  std::string out, err;
};

// Arguments are in reverse, as CLI11 wants them in a vector.
Outcome course(std::vector<std::string> arguments, const std::string& input = "") {
  Streams streams(input);
  CLI::App app;
  Outcome outcome;
  add_banks(app, outcome.exit_code);
  arguments.insert(arguments.begin(), "banks");
  std::reverse(arguments.begin(), arguments.end());
  app.parse(arguments);
  outcome.out = streams.out.str();
  outcome.err = streams.err.str();
  return outcome;
}

std::string content(const char* path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

} // namespace

TEST_CASE("banks FILE prints the rows with the model's results") {
  const Outcome outcome = course({kPatterns});
  CHECK(outcome.exit_code == 0);
  CHECK(outcome.out == content(kPatterns));
  CHECK(outcome.err.empty());
}

TEST_CASE("banks - reads standard input") {
  CHECK(course({"-"}, content(kPatterns)).out == content(kPatterns));
}

TEST_CASE("a bad row prints its place on standard error and nothing on standard output") {
  const Outcome outcome = course({"-"}, content(kPatterns) + "shared_load_4,0x1\n");
  CHECK(outcome.exit_code == 2);
  CHECK(outcome.out.empty());
  CHECK(outcome.err.starts_with("standard input:554: this line has 2 fields"));
}

TEST_CASE("a file that is not there, a folder, and no request at all are said to be so") {
  CHECK(course({"/nowhere/at/all.csv"}).err.starts_with("/nowhere/at/all.csv: cannot be read"));
  CHECK(course({COURSE_SOURCE_DIR}).err.find("is a folder") != std::string::npos);
  CHECK(course({}).err.find("--index '33*t'") != std::string::npos);
  CHECK(course({}).exit_code == 2);
}

TEST_CASE("a program in the place of requests is sent to course run, whether it is there or not") {
  for (const auto& arguments : {std::vector<std::string>{"copy.cu"}, {"--index", "copy.cu"}}) {
    const Outcome outcome = course(arguments);
    CHECK(outcome.exit_code == 2);
    CHECK(outcome.out.empty());
    CHECK(outcome.err.find("./course run copy.cu") != std::string::npos);
  }
  CHECK(course({"copy.csv"}).err.find("course run") == std::string::npos);
}

TEST_CASE("banks --index shows one request") {
  const Outcome outcome = course({"--index", "33*t", "--width", "4"});
  CHECK(outcome.exit_code == 0);
  CHECK(outcome.out.starts_with("4-byte load, lane t at element 33*t"));
  CHECK(course({"--index", "-t+31"}).exit_code == 0);
  CHECK(course({"--index", "8*t", "--width", "16", "--swizzle", "128B"})
            .out.find("wavefronts     4") != std::string::npos);
  CHECK(course({"--index=t", "--access", "store", "--mask", "0x3", "--device", "2.x"})
            .out.starts_with("4-byte store, lane t at element t, 2 lanes active"));
}

TEST_CASE("an expression that is not understood is shown with a caret") {
  const Outcome outcome = course({"--index", "33*"});
  CHECK(outcome.exit_code == 2);
  CHECK(outcome.out.empty());
  CHECK(outcome.err == "33*\n   ^ a number, t or ( is missing here\n");
}

TEST_CASE("options that make no sense are refused") {
  CHECK_THROWS_AS(course({"--index", "t", "--width", "3"}), CLI::ParseError);
  CHECK_THROWS_AS(course({"--index", "t", "--device", "4.x"}), CLI::ParseError);
  CHECK_THROWS_AS(course({"--index", "t", "--access", "fetch"}), CLI::ParseError);
  CHECK_THROWS_AS(course({"--index", "t", "--swizzle", "96B"}), CLI::ParseError);
  CHECK_THROWS_AS(course({"--index", "t", "--mask", "all"}), CLI::ParseError);
  CHECK_THROWS_AS(course({"--index", "t", kPatterns}), CLI::ParseError);
  CHECK_THROWS_AS(course({kPatterns, "--width", "4"}), CLI::ParseError);
}

} // namespace course::cli

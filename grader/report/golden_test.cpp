// Reports as a person sees them, held against the files in golden/ (golden/README.md).
#include "report/staged_verdicts.hpp"
#include "report/terminal.hpp"

#include <doctest/doctest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>

namespace course::report {
namespace {

const std::filesystem::path kFolder =
    std::filesystem::path(COURSE_SOURCE_DIR) / "grader" / "report" / "golden";

std::string read(const std::filesystem::path& file) {
  std::ifstream stream(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

void compare(const std::string& name, const std::string& text) {
  const auto file = kFolder / (name + ".txt");
  if (std::getenv("COURSE_UPDATE_GOLDEN")) std::ofstream(file, std::ios::binary) << text;
  INFO(file.string());
  CHECK(read(file) == text);
}

} // namespace

TEST_CASE("each staged verdict reads as its golden file") {
  const auto source = read(kFolder / "2_pad.source");
  for (const auto& [name, verdict] : staged::verdicts())
    compare(name, terminal(verdict, source, {}));
}

TEST_CASE("narrow and coloured reports read as their golden files") {
  const auto source = read(kFolder / "2_pad.source");
  const auto verdicts = staged::verdicts();
  for (const char* name : {"conflicts", "coalescing", "race"}) {
    compare(std::string(name) + ".40_columns", terminal(verdicts.at(name), source, {40, false}));
    compare(std::string(name) + ".colour", terminal(verdicts.at(name), source, {80, true}));
  }
}

TEST_CASE("no golden file is left behind") {
  std::set<std::string> expected{"2_pad.source", "README.md"};
  for (const auto& [name, verdict] : staged::verdicts()) expected.insert(name + ".txt");
  for (const char* name : {"conflicts", "coalescing", "race"}) {
    expected.insert(std::string(name) + ".40_columns.txt");
    expected.insert(std::string(name) + ".colour.txt");
  }
  std::set<std::string> found;
  for (const auto& entry : std::filesystem::directory_iterator(kFolder))
    found.insert(entry.path().filename().string());
  CHECK(found == expected);
}

} // namespace course::report

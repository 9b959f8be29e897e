// Reports as a person sees them, held against the files in golden/ (golden/README.md).
#include "language/translate.hpp"
#include "report/hand_made_verdicts.hpp"
#include "report/json.hpp"
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
const std::filesystem::path kChinese = kFolder / "zh_CN";
constexpr int kWidths[] = {60, 80, 200};
constexpr const char* kInOtherForms[] = {"conflicts", "coalescing", "race"};

// Chinese while it exists. Without msgfmt (the package gettext) there is no catalogue.
struct InChinese {
  InChinese() { REQUIRE(language::speak("zh_CN")); }
  ~InChinese() { language::speak(""); }
};

std::string read(const std::filesystem::path& file) {
  std::ifstream stream(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

void compare(const std::string& name, const std::string& text,
             const std::filesystem::path& folder = kFolder) {
  const auto file = folder / (name + ".txt");
  if (std::getenv("COURSE_UPDATE_GOLDEN")) std::ofstream(file, std::ios::binary) << text;
  INFO(file.string());
  CHECK(read(file) == text);
}

} // namespace

TEST_CASE("each staged verdict reads as its golden file") {
  const auto source = read(kFolder / "2_pad.source");
  for (const auto& [name, verdict] : hand_made::verdicts())
    compare(name, terminal(verdict, source, {}));
}

TEST_CASE("narrow and coloured reports read as their golden files, in both languages") {
  const auto source = read(kFolder / "2_pad.source");
  const auto verdicts = hand_made::verdicts();
  const auto look = [&](const std::filesystem::path& folder) {
    for (const std::string name : kInOtherForms) {
      compare(name + ".40_columns", terminal(verdicts.at(name), source, {40, false}), folder);
      compare(name + ".colour", terminal(verdicts.at(name), source, {80, true}), folder);
    }
  };
  look(kFolder);
  const InChinese here;
  look(kChinese);
}

TEST_CASE("each staged verdict reads in Chinese as its golden file") {
  const InChinese here;
  const auto source = read(kFolder / "2_pad.source");
  for (const auto& [name, verdict] : hand_made::verdicts())
    compare(name, terminal(verdict, source, {}), kChinese);
}

TEST_CASE("no line of a Chinese report is wider than its terminal") {
  const InChinese here;
  const auto source = read(kFolder / "2_pad.source");
  for (const auto& [name, verdict] : hand_made::verdicts())
    for (const int width : kWidths) {
      CAPTURE(name);
      CAPTURE(width);
      const auto text = terminal(verdict, source, {width, false});
      if (!verdict.compiler.empty()) continue; // nvcc's lines are as nvcc wrote them
      for (const auto& line : lines_of(text)) {
        INFO(line);
        CHECK(static_cast<int>(columns(line)) <= width);
      }
    }
}

TEST_CASE("the columns of a Chinese report stand below each other") {
  const InChinese here;
  const auto verdict = hand_made::verdicts().at("conflicts");
  for (const int width : kWidths) {
    std::set<std::size_t> limits, states, lanes;
    for (const auto& line : lines_of(terminal(verdict, "", {width, false}))) {
      const auto column = [&](std::string_view word) {
        return columns(std::string_view(line).substr(0, line.find(word)));
      };
      if (line.find("  限值 ") != line.npos) limits.insert(column("限值 "));
      if (line.find(" 通过") != line.npos) states.insert(column("通过"));
      if (line.find(" 未通过") != line.npos) states.insert(column("未通过"));
      for (const auto* title : {"    通道", "    字 ", "    存储体"})
        if (line.starts_with(std::string("    ") + title)) lanes.insert(columns(line));
    }
    CHECK(states.size() == 1);
    CHECK(lanes.size() == 1);
    if (width > 60) CHECK(limits.size() == 1);
  }
}

TEST_CASE("JSON is English in any language") {
  const auto english = json_text(json(hand_made::verdicts().at("conflicts")));
  const InChinese here;
  CHECK(json_text(json(hand_made::verdicts().at("conflicts"))) == english);
  CHECK(json_text(spoken_json(hand_made::verdicts().at("conflicts"))) != english);
}

TEST_CASE("no golden file is left behind, and each is there in both languages") {
  const auto files_in = [](const std::filesystem::path& folder) {
    std::set<std::string> found;
    for (const auto& entry : std::filesystem::directory_iterator(folder))
      found.insert(entry.path().filename().string());
    return found;
  };
  std::set<std::string> expected;
  for (const auto& [name, verdict] : hand_made::verdicts()) expected.insert(name + ".txt");
  for (const std::string name : kInOtherForms) {
    expected.insert(name + ".40_columns.txt");
    expected.insert(name + ".colour.txt");
  }
  CHECK(files_in(kChinese) == expected);
  expected.insert({"2_pad.source", "README.md", "zh_CN"});
  CHECK(files_in(kFolder) == expected);
}

} // namespace course::report

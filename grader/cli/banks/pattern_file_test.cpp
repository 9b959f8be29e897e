#include "cli/banks/pattern_file.hpp"

#include <doctest/doctest.h>

#include <fstream>
#include <random>
#include <sstream>

namespace course::cli {
namespace {

std::string data(const std::string& name) {
  std::ifstream file(COURSE_SOURCE_DIR "/grader/device/model/data/" + name, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  REQUIRE(text.str().size() > 1000);
  return text.str();
}

ParsedPatterns parsed(const std::string& text) {
  std::istringstream stream(text);
  return parse_patterns(stream);
}

std::string lanes(int stride) {
  std::string text;
  for (int lane = 0; lane < 32; ++lane) text.append(",").append(std::to_string(lane * stride));
  return text;
}

std::string names() {
  std::string text = "access,active_mask";
  for (int lane = 0; lane < 32; ++lane) text.append(",lane").append(std::to_string(lane));
  return text;
}

// Without the last `count` columns.
std::string without_columns(const std::string& text, int count) {
  std::istringstream lines(text);
  std::string result;
  for (std::string line; std::getline(lines, line);) {
    for (int i = 0; i < count; ++i) line.erase(line.rfind(','));
    result += line + "\n";
  }
  return result;
}

PatternError only_error(const std::string& text) {
  const ParsedPatterns result = parsed(text);
  REQUIRE(result.errors.size() == 1);
  return result.errors[0];
}

} // namespace

TEST_CASE("the measured file comes back byte for byte") {
  const std::string file = data("access_patterns.csv");
  const ParsedPatterns result = parsed(file);
  CHECK(result.errors.empty());
  CHECK(with_results(result.file) == file);
}

TEST_CASE("the result columns may be absent") {
  const std::string file = data("access_patterns.csv");
  CHECK(with_results(parsed(without_columns(file, 4)).file) == file);
}

TEST_CASE("the line of names may be absent") {
  const std::string file = data("access_patterns.csv");
  CHECK(with_results(parsed(file.substr(file.find('\n') + 1)).file) == file);
  const std::string more = data("access_patterns_more.csv");
  CHECK(with_results(parsed(more.substr(more.find('\n') + 1)).file) ==
        with_results(parsed(more).file));
}

TEST_CASE("results that a file has are replaced, not believed") {
  const std::string row = "shared_load_4,0xffffffff" + lanes(128);
  const std::string text = names() + ",wavefronts,ideal,sectors,replays\n" + row + ",7,7,7,7\n";
  CHECK(with_results(parsed(text).file).ends_with(row + ",32,1,,\n"));
}

TEST_CASE("the file of further atomics has its sass column kept, and no invented results") {
  const ParsedPatterns result = parsed(data("access_patterns_more.csv"));
  CHECK(result.errors.empty());
  CHECK(result.file.rows.size() == 153);
  const std::string text = with_results(result.file);
  CHECK(text.starts_with("access,sass,active_mask,lane0,"));
  std::istringstream lines(text);
  int empty = 0;
  for (std::string line; std::getline(lines, line);) {
    const bool without = line.ends_with(",,,,");
    CHECK(without == line.starts_with("cp_async"));
    empty += without;
  }
  CHECK(empty == 36);
}

TEST_CASE("line ends of other systems and blank lines do not matter") {
  const std::string row = "shared_load_4,0xffffffff" + lanes(4);
  const ParsedPatterns result = parsed("\xef\xbb\xbf" + names() + "\r\n\r\n" + row + "\r\n" + row);
  CHECK(result.errors.empty());
  CHECK(result.file.rows.size() == 2);
  CHECK(with_results(result.file).ends_with(row + ",1,1,,\n"));
}

TEST_CASE("columns may come in any order") {
  std::string header = "lane31", row = "124";
  for (int lane = 30; lane >= 0; --lane) {
    header.append(",lane").append(std::to_string(lane));
    row.append(",").append(std::to_string(lane * 4));
  }
  const ParsedPatterns result =
      parsed(header + ",ideal,active_mask,access\n" + row + ",,0xffffffff,shared_store_4\n");
  CHECK(result.errors.empty());
  CHECK(with_results(result.file).ends_with("\nshared_store_4,0xffffffff" + lanes(4) + ",1,1,,\n"));
}

TEST_CASE("a bad field is named by line and column, and says what to do") {
  const std::string good = "shared_load_4,0xffffffff" + lanes(4) + "\n";
  struct Wrong {
    std::string row, column, says;
  };
  const std::vector<Wrong> all = {
      {"shared_lode_4,0xffffffff" + lanes(4), "access", "\"shared_lode_4\" is no access"},
      {"shared_load_4,0x1ffffffff" + lanes(4), "active_mask", "no mask of 32 lanes"},
      {"shared_load_4,all" + lanes(4), "active_mask", "write one such as 0xffffffff"},
      {"shared_load_4,0xffffffff" + lanes(4) + "x", "lane31", "\"124x\" is no byte offset"},
      {"shared_load_4,0xffffffff,-4" + lanes(4).substr(2), "lane0", "write a number from 0"},
      {"shared_load_4,0xffffffff,2" + lanes(4).substr(2), "lane0", "no multiple of 4"},
      {"ldmatrix_x1,0xffffffff,8" + lanes(16).substr(2), "lane0", "no multiple of 16"},
      {"shared_load_4,0xffffffff,4294967296" + lanes(4).substr(2), "lane0", "beyond shared"},
      {"shared_load_4,0xffffffff,1,2", "", "4 fields and should have 34"},
      {"shared_load_4,0xffffffff,99999999999999999999" + lanes(4).substr(2), "lane0", "no byte"},
      {"shared_load_4,0xffffffff,0x" + lanes(4).substr(2), "lane0", "no byte"},
  };
  for (const Wrong& wrong : all) {
    const PatternError error = only_error(names() + "\n" + good + wrong.row + "\n" + good);
    INFO(wrong.row, ": ", error.message);
    CHECK(error.line == 3);
    CHECK(error.column == wrong.column);
    CHECK(error.message.find(wrong.says) != std::string::npos);
  }
}

TEST_CASE("a lane that takes no part need not be aligned, and global addresses may be large") {
  CHECK(parsed(names() + "\nshared_load_4,0xfffffffe,2" + lanes(4).substr(2)).errors.empty());
  const ParsedPatterns global =
      parsed(names() + "\nglobal_load_4,0xffffffff,140000000000000" + lanes(4).substr(2));
  REQUIRE(global.errors.empty());
  CHECK(*results_of(global.file.rows[0]).sectors == 5);
}

TEST_CASE("a first line that is not understood says so once") {
  CHECK(only_error("access,active_mask,lane0\n1,2,3\n4,5,6\n").column == "lane1");
  CHECK(only_error(names() + ",bank\n").message.find("\"bank\", which is no column") !=
        std::string::npos);
  CHECK(only_error(names() + ",lane3\n").message.find("\"lane3\" twice") != std::string::npos);
  CHECK(only_error("hello\nworld\n").message.starts_with("neither a line of column names"));
}

TEST_CASE("a file without rows is no answer") {
  CHECK(only_error("").message.starts_with("no rows"));
  CHECK(only_error("\n\n").message.starts_with("no rows"));
  CHECK(only_error(names() + "\n").message.starts_with("no rows"));
}

TEST_CASE("errors are counted up to a limit") {
  std::string text = names() + "\n";
  for (int i = 0; i < 100; ++i) text += "nonsense\n";
  CHECK(parsed(text).errors.size() == ParsedPatterns::kMostErrors);
}

TEST_CASE("messages show no bytes that disturb a terminal") {
  const PatternError error =
      only_error(names() + "\n\x1b[2J" + std::string(500, '\xff') + ",0x1" + lanes(4));
  CHECK(error.message.find('\x1b') == std::string::npos);
  CHECK(error.message.find('\xff') == std::string::npos);
  CHECK(error.message.size() < 200);
}

TEST_CASE("any bytes are safe") {
  std::mt19937 random(8);
  const std::string file = data("access_patterns.csv").substr(0, 3000);
  for (int trial = 0; trial < 500; ++trial) {
    std::string text = file;
    for (int change = 0; change < 20; ++change)
      text[random() % text.size()] =
          trial % 2 ? static_cast<char>(random()) : ",\n0x9-"[random() % 6];
    const ParsedPatterns result = parsed(text);
    CHECK(result.errors.size() <= ParsedPatterns::kMostErrors);
    CHECK_FALSE(with_results(result.file).empty());
  }
}

} // namespace course::cli

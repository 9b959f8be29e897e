#include "report/picture/lane_picture.hpp"

#include <doctest/doctest.h>

#include <random>
#include <sstream>
#include <vector>

#include "device/model/shared.hpp"

namespace course::report {
namespace {

using model::kLanes;
using model::Request;
using model::RequestKind;

Request strided(std::uint32_t words, int width = 4, RequestKind access = RequestKind::shared_load) {
  Request request{access, width};
  for (int lane = 0; lane < kLanes; ++lane) request.offset[lane] = lane * words * 4;
  return request;
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

std::size_t longest(const std::string& text) {
  std::size_t most = 0;
  for (const std::string& line : lines_of(text)) most = std::max(most, line.size());
  return most;
}

} // namespace

TEST_CASE("a column of a tile shows every lane in bank 0") {
  CHECK(lane_rows(strided(32), Fit::shorten, {57, 8}) ==
        "        lane    0    1    2    3    4    5  ...   30   31\n"
        "        word    0   32   64   96  128  160  ...  960  992\n"
        "        bank    0    0    0    0    0    0  ...    0    0\n");
}

TEST_CASE("lanes that are asked for are shown among those that are left out") {
  PictureOptions options{57, 8};
  options.lanes = {1, 12};
  CHECK(lane_rows(strided(32), Fit::shorten, options) ==
        "        lane    0    1    2    3  ...   12  ...   30   31\n"
        "        word    0   32   64   96  ...  384  ...  960  992\n"
        "        bank    0    0    0    0  ...    0  ...    0    0\n");
  options.lanes = {0, 3, 31};
  CHECK(lane_rows(strided(32), Fit::shorten, options) ==
        lane_rows(strided(32), Fit::shorten, {57, 8}));
}

TEST_CASE("nothing is left out where everything fits") {
  const std::string text = lane_rows(strided(1), Fit::shorten, {140, 0});
  CHECK(text.find("...") == std::string::npos);
  CHECK(lines_of(text)[0].ends_with("  30  31"));
}

TEST_CASE("wrapped, each lane has its place, and lines have a power of two of lanes") {
  const std::string text = lane_rows(strided(33), Fit::wrap, {80, 2});
  const auto lines = lines_of(text);
  REQUIRE(lines.size() == 4 * 3 + 3);
  CHECK(lines[0] == "  lane     0     1     2     3     4     5     6     7");
  CHECK(lines[1] == "  word     0    33    66    99   132   165   198   231");
  CHECK(lines[2] == "  bank     0     1     2     3     4     5     6     7");
  CHECK(lines.back() == "  bank    24    25    26    27    28    29    30    31");
}

TEST_CASE("lanes that take no part have dashes") {
  Request request = strided(1);
  request.active = 0xfffffffd;
  const auto lines = lines_of(lane_rows(request, Fit::shorten, {40, 0}));
  CHECK(lines[0].starts_with("lane    0    1    2"));
  CHECK(lines[1].starts_with("word    0    -    2"));
  CHECK(lines[2].starts_with("bank    0    -    2"));
}

TEST_CASE("wide accesses name the first and last bank of a lane") {
  CHECK(lines_of(lane_rows(strided(4, 16), Fit::shorten, {60, 0}))[2].starts_with(
      "bank    0-3    4-7   8-11"));
}

TEST_CASE("older devices have their own banks") {
  PictureOptions options{60, 0};
  options.architecture = model::k1x;
  CHECK(lines_of(lane_rows(strided(16), Fit::shorten, options))[2].starts_with(
      "bank    0    0    0"));
}

TEST_CASE("the picture of stride 2 has two lanes in every other bank") {
  CHECK(bank_rows(strided(2), 8) ==
        "  bank    0       4       8       12      16      20      24      28\n"
        "  pass  1 0 . 1 . 2 . 3 . 4 . 5 . 6 . 7 . 8 . 9 . a . b . c . d . e . f .\n"
        "  pass  2 g . h . i . j . k . l . m . n . o . p . q . r . s . t . u . v .\n"
        "  lanes 0-9, a = 10 to v = 31\n");
}

TEST_CASE("a 32-way conflict is cut short, and its last pass is kept") {
  const auto lines = lines_of(bank_rows(strided(32), 5));
  REQUIRE(lines.size() == 1 + 5 + 1);
  CHECK(lines[1].starts_with("  pass  1 0 . ."));
  CHECK(lines[3].starts_with("  pass  3 2 . ."));
  CHECK(lines[4] == "    ...   28 more passes");
  CHECK(lines[5].starts_with("  pass 32 v . ."));
}

TEST_CASE("lanes that want one word share a mark, but not in an atomic") {
  CHECK(lines_of(bank_rows(strided(0), 8))[1].starts_with("  pass  1 0+."));
  CHECK(bank_rows(strided(0), 8).find("; + with others") != std::string::npos);
  const auto lines = lines_of(bank_rows(strided(0, 4, RequestKind::shared_atomic), 4));
  CHECK(lines[2].starts_with("  pass  2 1 ."));
  CHECK(lines_of(bank_rows(strided(0, 4, RequestKind::shared_atomic_increment), 8)).size() == 3);
}

TEST_CASE("compare-and-swap takes turns of two passes") {
  const auto lines = lines_of(bank_rows(strided(2, 4, RequestKind::shared_atomic_cas), 8));
  CHECK(lines[2].starts_with("  turn  2 g"));
}

TEST_CASE("the rows of loads and stores are as many as the wavefronts, whatever the lanes want") {
  std::mt19937 random(5);
  for (int trial = 0; trial < 500; ++trial) {
    Request request{random() % 2 ? RequestKind::shared_load : RequestKind::shared_store,
                    1 << random() % 5};
    request.active = random();
    for (auto& offset : request.offset) offset = random() % 200 * request.width;
    const auto lines = lines_of(bank_rows(request, 1000));
    CHECK(static_cast<int>(lines.size()) == model::shared_passes(request).wavefronts + 2);
  }
}

TEST_CASE("a narrow terminal gets narrow pictures") {
  CHECK(longest(bank_rows(strided(2), 8, {80, 2})) <= 80);
  CHECK(longest(bank_rows(strided(2), 8, {60, 0})) == 40);
  for (int columns : {40, 60, 79, 80, 120}) {
    CHECK(longest(lane_rows(strided(33), Fit::shorten, {columns, 2})) <=
          static_cast<std::size_t>(columns));
    CHECK(longest(lane_rows(strided(33), Fit::wrap, {columns, 2})) <=
          static_cast<std::size_t>(columns));
  }
  CHECK(lines_of(lane_rows(strided(33), Fit::shorten, {0, 0})).size() == 3);
  CHECK(lines_of(lane_rows(strided(33), Fit::wrap, {-7, -7})).size() == 32 * 4 - 1);
}

TEST_CASE("colour marks what costs an extra pass, and is off unless asked for") {
  PictureOptions colour;
  colour.colour = true;
  CHECK(bank_rows(strided(2), 8).find('\x1b') == std::string::npos);
  CHECK(lane_rows(strided(2), Fit::wrap).find('\x1b') == std::string::npos);
  CHECK(bank_rows(strided(2), 8, colour).find("\x1b[31mg\x1b[0m") != std::string::npos);
  CHECK(bank_rows(strided(1), 8, colour).find("\x1b[31m") == std::string::npos);
  CHECK(lane_rows(strided(2), Fit::wrap, colour).find("\x1b[31m") != std::string::npos);
}

TEST_CASE("there is no picture without lanes or without a rule") {
  Request request = strided(1);
  request.active = 0;
  CHECK(bank_rows(request, 8).empty());
  CHECK(bank_rows(strided(1, 4, RequestKind::cp_async), 8).empty());
}

} // namespace course::report

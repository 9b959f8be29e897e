#include "report/sector_rows.hpp"

#include <doctest/doctest.h>

namespace course::report {
namespace {

device::RequestSample strided(std::uint64_t bytes) {
  device::RequestSample request;
  request.active = 0xffffffff;
  request.width = 4;
  for (unsigned lane = 0; lane < 32; ++lane) request.offset[lane] = 0x1000000040 + lane * bytes;
  return request;
}

} // namespace

TEST_CASE("lanes, bytes and sectors stand above each other") {
  CHECK(sector_rows(strided(384), {80, false}, 8) ==
        "        lane        0      1      2      3      4      5  ...     30     31\n"
        "        byte        0    384    768   1152   1536   1920  ...  11520  11904\n"
        "        sector      0     12     24     36     48     60  ...    360    372\n");
}

TEST_CASE("lanes that take no part have dashes") {
  auto request = strided(4);
  request.active = 0xfffffffd;
  const auto rows = lines_of(sector_rows(request, {80, false}, 0));
  CHECK(rows[1].find(" - ") != std::string::npos);
  request.active = 0;
  CHECK(sector_rows(request, {80, false}, 0).empty());
}

TEST_CASE("sectors are counted from the lowest, wherever its lane is") {
  auto request = strided(32);
  std::swap(request.offset[0], request.offset[31]);
  const auto rows = lines_of(sector_rows(request, {200, false}, 0));
  CHECK(rows[2].ends_with(" 0"));
}

TEST_CASE("all lanes are shown where they fit") {
  CHECK(sector_rows(strided(384), {8 + 6 + 32 * 7, false}, 8).find("...") == std::string::npos);
  CHECK(sector_rows(strided(384), {8 + 6 + 32 * 7 - 1, false}, 8).find("...") != std::string::npos);
}

TEST_CASE("no picture is wider than the terminal") {
  for (int width = 40; width < 300; width += 1)
    for (const auto& line : lines_of(sector_rows(strided(384), {width, false}, 8)))
      CHECK(static_cast<int>(line.size()) <= width);
}

} // namespace course::report

#include "device/gpu/patterns/generate.hpp"
#include "device/gpu/patterns/pattern.hpp"

#include <doctest/doctest.h>

#include <sstream>

namespace course::gpu::patterns {
namespace {

std::string header() {
  std::ostringstream text;
  text << "access,active_mask";
  for (int lane = 0; lane < 32; ++lane) text << ",lane" << lane;
  text << '\n';
  return text.str();
}

std::string row(const std::string& access, const std::string& mask, const std::string& first) {
  std::ostringstream text;
  text << access << ',' << mask << ',' << first;
  for (int lane = 1; lane < 32; ++lane) text << ',' << lane * 16;
  text << '\n';
  return text.str();
}

std::string error_of(const std::string& text) {
  std::istringstream in(text);
  const auto read = read_patterns(in);
  return std::holds_alternative<std::string>(read) ? std::get<std::string>(read) : "";
}

} // namespace

TEST_CASE("what is written is read back, for every kind") {
  std::vector<Pattern> all;
  for (const auto& kind : kinds()) {
    const auto drawn = generate(kind, 2, 5);
    all.insert(all.end(), drawn.begin(), drawn.end());
  }
  std::stringstream file;
  file << "# measured on a device\n";
  write_patterns(file, all, std::vector<Measured>(all.size()));
  const auto read = read_patterns(file);
  REQUIRE(std::holds_alternative<std::vector<Pattern>>(read));
  const auto& back = std::get<std::vector<Pattern>>(read);
  REQUIRE(back.size() == all.size());
  for (std::size_t i = 0; i < all.size(); ++i) {
    CHECK(back[i].access == all[i].access);
    CHECK(back[i].active == all[i].active);
    CHECK(back[i].lane == all[i].lane);
    CHECK(back[i].global == all[i].global);
  }
}

TEST_CASE("what is wrong in a file is said with its line and column") {
  CHECK(error_of("") == "the file has no header line");
  CHECK(error_of("access,active_mask\n") == "line 1: the header has no column lane0");
  CHECK(error_of(header() + row("shared_load_4", "0xffffffff", "0")) == "");
  CHECK(error_of(header() + row("shared_load_3", "0xffffffff", "0")) ==
        "line 2: access: there is no kind shared_load_3");
  CHECK(error_of(header() + row("shared_load_4", "all", "0")) ==
        "line 2: active_mask: all is no number");
  CHECK(error_of(header() + row("shared_load_4", "0xffffffff", "-4")) ==
        "line 2: lane0: -4 is no number");
  CHECK(error_of(header() + row("shared_load_4", "0xffffffff", "32768")) ==
        "line 2: lane0: 32768 is no multiple of 4 below 32768");
  CHECK(error_of(header() + row("shared_load_16", "0xffffffff", "8")) ==
        "line 2: lane0: 8 is no multiple of 16 below 32768");
  CHECK(error_of(header() + "shared_load_4,0x1,0\n") == "line 2: has 3 cells, the header 34");
  CHECK(error_of(header() + row("ldmatrix_x1", "0x1", "0")) ==
        "line 2: active_mask: ldmatrix_x1 needs all lanes");
}

TEST_CASE("lanes that take no part may have any offset") {
  CHECK(error_of(header() + row("shared_load_16", "0xfffffffe", "7")) == "");
}

} // namespace course::gpu::patterns

// Measured patterns, executed on the emulated device by the kernel that measured them.
#include "conformance/table.hpp"
#include "device/emulator/emulator.hpp"
#include "device/gpu/patterns/kernel.hpp"
#include "device/gpu/patterns/kinds.hpp"

#include <doctest/doctest.h>

#include <fstream>

namespace course::conformance {
namespace {

using gpu::patterns::Measured;
using gpu::patterns::Pattern;

struct Rows {
  std::vector<Pattern> patterns;
  std::vector<Measured> measured;
};

// Those of a table whose kinds `wanted` accepts.
template <typename Wanted>
Rows rows(const std::string& name, Wanted wanted) {
  const std::string path = COURSE_SOURCE_DIR "/book/data/h200/" + name;
  std::ifstream first(path), second(path);
  const auto patterns = gpu::patterns::read_patterns(first);
  const auto table = read_table(second);
  const auto& all = std::get<std::vector<Pattern>>(patterns);
  const auto& values = std::get<Table>(table).rows;
  REQUIRE(all.size() == values.size());
  Rows result;
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (!wanted(all[i].access)) continue;
    const auto number = [&](const char* column) { return std::stoull(values[i].at(column)); };
    result.patterns.push_back(all[i]);
    result.measured.push_back({number("wavefronts"), number("ideal"), number("sectors"), ""});
  }
  return result;
}

// Patterns that cost something else on the emulated device.
std::size_t unequal(const Rows& rows) {
  const auto device = emulator::make_device();
  const auto seen = device->execute(gpu::patterns::job(rows.patterns, 9, 0));
  REQUIRE(seen.reason == "");
  const auto counted = gpu::patterns::measurements(seen, rows.patterns.size());
  REQUIRE(std::holds_alternative<std::vector<Measured>>(counted));
  std::size_t count = 0;
  for (std::size_t i = 0; i < rows.patterns.size(); ++i) {
    const auto& mine = std::get<std::vector<Measured>>(counted)[i];
    const auto& there = rows.measured[i];
    const bool equal = mine.wavefronts == there.wavefronts && mine.ideal == there.ideal;
    if (!equal && count++ == 0)
      MESSAGE(rows.patterns[i].access << ": " << mine.wavefronts << " / " << mine.ideal
                                      << ", measured " << there.wavefronts << " / " << there.ideal);
  }
  return count;
}

} // namespace

TEST_CASE("the emulated device counts 64-bit atomics by what they find and leave in memory") {
  const auto all = [](const std::string&) { return true; };
  const Rows atomics = rows("patterns_atomics_64.csv", all);
  CHECK(atomics.patterns.size() == 960);
  CHECK(unequal(atomics) == 0);
}

TEST_CASE("the emulated device counts copies that fill up with zeros") {
  // Of the others ptxas knows that they read all or nothing; the PTX alone does not say so.
  const auto any_count = [](const std::string& access) { return !access.ends_with("odd16"); };
  const Rows copies = rows("patterns_cp_async_zero_fill.csv", any_count);
  CHECK(copies.patterns.size() == 80);
  CHECK(unequal(copies) == 0);
  const auto constant = [](const std::string& access) { // or a count that nothing is known of
    return access.find("_of_") != access.npos && access.find("odd") == access.npos;
  };
  const Rows counts = rows("patterns_cp_async_counts.csv", constant);
  CHECK(counts.patterns.size() == 600);
  CHECK(unequal(counts) == 0);
}

} // namespace course::conformance

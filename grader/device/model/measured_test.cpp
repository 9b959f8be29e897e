// The rules against every measured row of data/.
#include <doctest/doctest.h>

#include <map>
#include <string>
#include <vector>

#include "device/model/atomics.hpp"
#include "device/model/constant.hpp"
#include "device/model/measured_rows.hpp"
#include "device/model/sectors.hpp"
#include "device/model/shared.hpp"

namespace course::model {
namespace {

struct Result {
  std::string wavefronts, ideal, sectors, replays; // empty where a column does not apply
  bool operator==(const Result&) const = default;
};

Result measured(const Row& row) {
  auto cell = [&](const char* column) { return row.contains(column) ? row.at(column) : ""; };
  return {cell("wavefronts"), cell("ideal"), cell("sectors"), cell("replays")};
}

// The 64-bit rows fit a measuring kernel in which lane l added l, and so lane 0 nothing.
const LoopValues kLaneAddsItself{
    {}, [](int lane, std::uint64_t now) { return now + static_cast<std::uint64_t>(lane); }};

Result modelled(const Request& request) {
  switch (memory_of(request.access)) {
  case Memory::global: {
    std::array<std::uint64_t, kLanes> address;
    for (int lane = 0; lane < kLanes; ++lane) address[lane] = request.offset[lane];
    return {"", "", std::to_string(sectors(request.active, address)), ""};
  }
  case Memory::constant:
    return {"", "", "",
            std::to_string(constant_replays(request.active, request.width, request.offset))};
  default:
    const Passes passes = request.access == RequestKind::shared_atomic_loop
                              ? atomic_passes(request, kLaneAddsItself)
                              : shared_passes(request);
    return {std::to_string(passes.wavefronts), std::to_string(passes.ideal), "", ""};
  }
}

std::string text(const Result& result) {
  return result.wavefronts + "," + result.ideal + "," + result.sectors + "," + result.replays;
}

} // namespace

TEST_CASE("the model reproduces every row of access_patterns.csv") {
  const std::vector<Row> rows = rows_of("grader/device/model/data/access_patterns.csv");
  CHECK(rows.size() == 552);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    INFO("line ", i + 2, ", ", rows[i].at("access"));
    CHECK(text(modelled(request_of(rows[i]))) == text(measured(rows[i])));
  }
}

TEST_CASE("the model reproduces every row of access_patterns_more.csv but those of cp.async") {
  const std::map<std::string, int> without_a_rule = {
      {"cp_async_ca_4", 9}, {"cp_async_ca_8", 9}, {"cp_async_ca_16", 9}, {"cp_async_cg_16", 9}};
  std::map<std::string, int> left_out;
  const std::vector<Row> rows = rows_of("grader/device/model/data/access_patterns_more.csv");
  CHECK(rows.size() == 153);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    INFO("line ", i + 2, ", ", rows[i].at("access"));
    const Request request = request_of(rows[i]);
    if (has_rule(request.access, request.width))
      CHECK(text(modelled(request)) == text(measured(rows[i])));
    else
      ++left_out[rows[i].at("access")];
  }
  CHECK(left_out == without_a_rule);
}

} // namespace course::model

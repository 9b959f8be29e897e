// The rules for another block's shared memory, against every measured row.
#include "device/model/measured_rows.hpp"
#include "device/model/remote.hpp"
#include "device/model/shared.hpp"

#include <sstream>

namespace course::model {
namespace {

// Offsets by the name of a pattern, for `width` bytes a lane.
std::uint32_t offset(const std::string& pattern, std::uint32_t lane) {
  if (pattern.starts_with("stride"))
    return lane * 4 * static_cast<std::uint32_t>(std::stoul(pattern.substr(6)));
  if (pattern == "broadcast") return 0;
  if (pattern == "2 lines same banks") return lane % 16 * 4 + lane / 16 * 128;
  if (pattern == "4 lines no bank shared") return lane * 4 + lane / 8 * 128;
  if (pattern == "reversed") return 124 - lane * 4;
  REQUIRE(pattern == "offset 64");
  return lane * 4 + 64;
}

RemoteRequest remote_of(const Row& row) {
  RemoteRequest request;
  request.width = std::stoi(row.at("width_bytes"));
  request.active = static_cast<std::uint32_t>(std::stoul(row.at("active_mask"), nullptr, 16));
  const std::string& pattern = row.at("pattern");
  std::istringstream listed(pattern.starts_with("offsets ") ? pattern.substr(8) : "");
  for (std::uint32_t lane = 0; lane < 32; ++lane) {
    if (!(listed >> request.offset[lane])) request.offset[lane] = offset(pattern, lane);
    // "3:128" asks block 3; block 0 is the one that asks, and needs no way to itself.
    std::uint32_t place = 0;
    if (listed.peek() != ':' || !listed.ignore() || !(listed >> place)) continue;
    if (request.offset[lane] == 0) request.active &= ~(1u << lane);
    request.offset[lane] = request.offset[lane] << 24 | place;
  }
  return request;
}

} // namespace

TEST_CASE("the model reproduces every request to another block's memory that was measured") {
  const auto rows = rows_of("grader/device/model/data/remote_patterns.csv");
  CHECK(rows.size() == 256);
  int short_of_it = 0;
  for (const Row& row : rows) {
    const RemoteRequest request = remote_of(row);
    const std::string& operation = row.at("operation");
    CAPTURE(operation);
    CAPTURE(row.at("pattern"));
    const bool atomic = operation == "atom" || operation == "red", load = operation == "ld";
    if (row.at("target") == "own") {
      // Through the window to the block itself: the banks, and nothing else.
      const auto access = load     ? Access::shared_load
                          : atomic ? Access::shared_atomic
                                   : Access::shared_store;
      CHECK(std::stoi(row.at("shared_wavefronts")) ==
            shared_passes({access, request.width, request.active, request.offset}).wavefronts);
      CHECK(row.at("dshared_requests") == "0");
      continue;
    }
    CHECK((row.at("shared_wavefronts").empty() || row.at("shared_wavefronts") == "0"));
    CHECK(row.at("dshared_requests") == "1");
    const int sectors = atomic ? remote_atomic_sectors(request) : remote_sectors(request);
    const int lines = remote_lines(request);
    // An atomic that asks several blocks takes a few sectors more now and then.
    const int more = std::stoi(row.at("dshared_sectors")) - sectors;
    CHECK(more >= 0);
    CHECK(more <= (atomic && row.at("target") == "several" ? 3 : 0));
    short_of_it += more > 0 ? 1 : 0;
    // Those of an atomic are not known for certain: a few rows have one or two more.
    if (!atomic) CHECK(std::stoi(row.at("dshared_lines")) == lines);
    if (load) {
      CHECK(std::stoi(row.at("dshared_bytes")) == remote_load_bytes(sectors));
      if (const auto& cycles = row.at("dshared_request_cycles"); !cycles.empty())
        CHECK(std::stoi(cycles) == remote_load_cycles(sectors, lines));
    }
    if (atomic) CHECK(std::stoi(row.at("dshared_bytes")) == remote_atomic_bytes(sectors + more));
  }
  CHECK(short_of_it == 8);
}

TEST_CASE("a stride that is free of bank conflicts costs as much as any that is not") {
  RemoteRequest request;
  for (std::uint32_t lane = 0; lane < 32; ++lane) request.offset[lane] = lane * 33 * 4;
  CHECK(remote_sectors(request) == 32);
  for (std::uint32_t lane = 0; lane < 32; ++lane) request.offset[lane] = lane * 4;
  CHECK(remote_sectors(request) == 4);
  CHECK(remote_lines(request) == 1);
  request.offset.fill(64); // all lanes at one word
  CHECK(remote_sectors(request) == 1);
  CHECK(remote_atomic_sectors(request) == 32);
}

} // namespace course::model

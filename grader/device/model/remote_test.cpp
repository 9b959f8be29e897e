// The rules for another block's shared memory, against every measured row.
#include "device/model/measured_rows.hpp"
#include "device/model/remote.hpp"
#include "device/model/remote_pattern.hpp"
#include "device/model/shared.hpp"

namespace course::model {
namespace {

RemoteRequest remote_of(const Row& row) {
  RemoteRequest request;
  request.width = std::stoi(row.at("width_bytes"));
  request.active = static_cast<std::uint32_t>(std::stoul(row.at("active_mask"), nullptr, 16));
  request.offset = remote_offsets(row.at("pattern")).value();
  // Block 0 is the one that asks, and needs no way to itself.
  for (std::uint32_t lane = 0; lane < 32; ++lane)
    if (row.at("target") == "several" && request.offset[lane] >> kRemoteRankShift == 0)
      request.active &= ~(1u << lane);
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
      const auto access = load     ? RequestKind::shared_load
                          : atomic ? RequestKind::shared_atomic
                                   : RequestKind::shared_store;
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

TEST_CASE("a pattern is a name or offsets, with or without their blocks, and nothing else") {
  CHECK(remote_offsets("stride2").value()[3] == 24);
  CHECK(remote_offsets("offsets 32 44").value() == RemoteOffsets{32, 44});
  CHECK(remote_offsets("offsets 3:128 4").value() ==
        RemoteOffsets{3u << kRemoteRankShift | 128, 4});
  for (const char* text : {"spiral", "", "offsets ", "offsets x", "offsets 3:", "offsets 3:x"})
    CHECK_FALSE(remote_offsets(text).has_value());
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

#include "judge/limits.hpp"

#include "judge/hand_made.hpp"

#include "report/words/check_words.hpp"

#include <doctest/doctest.h>

#include <algorithm>

namespace course::judge {
namespace {

using hand_made::ended;
using hand_made::transpose;

// The transpose of one shape with the rows of one access changed.
std::vector<Execution> with_row(const device::LineCounts& row) {
  std::vector<Execution> all{transpose(64, 96)};
  for (auto& line : all[0].observed.lines) {
    if (line.kind == row.kind) line = row;
  }
  return all;
}

std::vector<Execution> without(model::Memory memory) {
  std::vector<Execution> all{transpose(64, 96)};
  std::erase_if(all[0].observed.lines, [&](const auto& line) { return line.kind.is_on(memory); });
  return all;
}

} // namespace

TEST_CASE("the padded transpose passes every limit exactly") {
  const std::vector<Execution> all{transpose(32, 32), transpose(64, 96)};
  for (const auto& check : {check_coalescing(all), check_traffic(all), check_conflicts(all)}) {
    CHECK(check.status == Status::passed);
    for (const auto& measure : check.measures) CHECK(measure.value == measure.high);
  }
  CHECK(report::words(check_coalescing(all)).observed() == "4.0 sectors per request");
  CHECK(report::words(check_coalescing(all)).limit == "4.0");
  CHECK(report::words(check_traffic(all)).observed() == "1 shared load and 1 store per element");
  CHECK(report::words(check_traffic(all)).limit == "1 and 1");
  CHECK(report::words(check_conflicts(all)).observed() == "none in 384 requests");
}

TEST_CASE("the unpadded column has 31 conflicts per request, and the line is named") {
  const std::vector<Execution> all{transpose(64, 96, 32)};
  const auto check = check_conflicts(all);
  CHECK(check.status == Status::failed);
  CHECK(report::words(check).observed() == "31 per request, on line 29");
  CHECK(report::words(check).limit == "0");
  CHECK(report::words(check).message == "192 requests took 6,144 passes; 192 would do");
  CHECK(check.place.line == 29);
  CHECK(check.measures[0].value == 5952);
}

TEST_CASE("what is not certain is told of a line that the limit is about") {
  std::vector<Execution> all{transpose(64, 96)};
  std::uint32_t loaded = 0, shared = 0;
  for (auto& line : all[0].observed.lines) {
    line.width_from_sass = false;
    const auto [memory, direction] = line.kind.use();
    if (direction != model::Direction::load) continue;
    (memory == model::Memory::global ? loaded : shared) = line.line;
  }
  REQUIRE(loaded != shared);
  auto tight = all;
  tight[0].bounds.global_loads.sectors -= 1;
  CHECK(check_coalescing(tight).status == Status::not_measured);
  CHECK(check_coalescing(tight).place.line == loaded);
  tight = all;
  tight[0].bounds.shared_loads.high -= 1;
  CHECK(check_traffic(tight).status == Status::not_measured);
  CHECK(check_traffic(tight).place.line == shared);
  tight = all;
  tight[0].bounds.global_stores.sectors -= 1;
  CHECK(check_coalescing(tight).place.line != loaded);
  CHECK(check_coalescing(tight).place.line != 0);
}

TEST_CASE("one conflict too many fails") {
  std::vector<Execution> all{transpose(64, 96)};
  all[0].observed.lines[1].wavefronts += 1;
  CHECK(check_conflicts(all).status == Status::failed);
  all[0].bounds.conflicts = 1;
  CHECK(check_conflicts(all).status == Status::passed);
}

TEST_CASE("conflicts on several lines name the lines") {
  std::vector<Execution> all{transpose(64, 96, 32)};
  all[0].observed.lines[1] = hand_made::shared(22, "shared_store_4", 192, 16);
  CHECK(report::words(check_conflicts(all)).observed() == "23 per request, on lines 22 and 29");
}

TEST_CASE("one failing shape fails the check, and is the one shown") {
  const std::vector<Execution> all{transpose(32, 32, 32), transpose(64, 96)};
  CHECK(check_conflicts(all).status == Status::failed);
  CHECK(check_conflicts(all).shape == "32 x 32");
  CHECK(check_conflicts(all).row.value().requests == 32); // of that shape, as is all that is said
}

TEST_CASE("traffic without a limit may be any number, and not at least 0") {
  std::vector<Execution> all{transpose(64, 96)};
  all[0].bounds.shared_loads = {0, 400};
  all[0].bounds.shared_stores = {0, Measure::kNoLimit};
  CHECK(report::words(check_traffic(all)).limit == "0 to 400 and any number");
}

TEST_CASE("a marked row counts as the PTX has it, and no limit is failed on it alone") {
  std::vector<Execution> all{transpose(64, 96)};
  auto& store = all[0].observed.lines[1]; // to shared memory
  store.width_from_sass = false;
  CHECK(check_traffic(all).status == Status::passed);
  CHECK(check_coalescing(all).status == Status::passed);
  CHECK(check_conflicts(all).status == Status::passed);
  store.wavefronts *= 32; // the PTX has conflicts; the GPU may have none
  CHECK(check_conflicts(all).status == Status::not_measured);
  all[0].observed.lines[2] = hand_made::shared(29, "shared_load_4", 192, 32);
  CHECK(check_conflicts(all).status == Status::failed);
}

TEST_CASE("too little is too little, however the rows are marked") {
  auto all = with_row(hand_made::shared(29, "shared_load_4", 150, 1));
  for (auto& line : all[0].observed.lines) line.width_from_sass = false;
  CHECK(check_traffic(all).status == Status::failed);
}

TEST_CASE("at least so many is enough to fail an upper limit, and not to pass one") {
  std::vector<Execution> all{transpose(64, 96)};
  auto sums = hand_made::shared(40, "red_shared_add_f32", 10, 1);
  sums.at_least = true;
  all[0].observed.lines.push_back(sums);
  CHECK(check_conflicts(all).status == Status::passed); // more passes, and no more conflicts
  all[0].observed.lines.back().conflicts_at_least = true;
  CHECK(check_conflicts(all).status == Status::not_measured);
  CHECK(check_conflicts(all).place.line == 40);
  CHECK(report::words(check_conflicts(all)).message.find("each time another number") !=
        std::string::npos);
  all[0].observed.lines.back() = hand_made::shared(40, "red_shared_add_f32", 10, 8);
  all[0].observed.lines.back().at_least = true;
  all[0].observed.lines.back().conflicts_at_least = true;
  CHECK(check_conflicts(all).status == Status::failed);
}

TEST_CASE("shuffles that nobody found in the machine code count as the PTX has them") {
  std::vector<Execution> all{transpose(32, 32)};
  all[0].observed.launches[0].shuffles = 100;
  all[0].observed.launches[0].shuffles_in_ptx = 60;
  const auto status = [&](std::uint64_t low, std::uint64_t high) {
    all[0].bounds.others["shuffles"] = {low, high};
    return check_counted(all, "shuffles").status;
  };
  CHECK(status(40, Measure::kNoLimit) == Status::passed);
  CHECK(status(41, Measure::kNoLimit) == Status::passed);
  CHECK(status(101, Measure::kNoLimit) == Status::failed);
  CHECK(status(0, 39) == Status::failed);
  CHECK(status(0, 100) == Status::passed);
}

TEST_CASE("no shared memory, no conflicts, and no praise for it") {
  const auto all = without(model::Memory::shared);
  CHECK(check_conflicts(all).status == Status::not_measured);
  CHECK(check_traffic(all).status == Status::failed);
  CHECK(report::words(check_traffic(all)).message ==
        "no thread loads from shared memory, or stores to it");
  CHECK(report::words(check_traffic(all)).observed() == "0 shared loads and 0 stores per element");
}

TEST_CASE("too little traffic beside a wrong output is not judged, too much is") {
  auto all = with_row(hand_made::shared(29, "shared_load_4", 150, 1));
  CHECK(check_traffic(all).status == Status::failed);
  all[0].output.wrong = 1;
  CHECK(check_traffic(all).status == Status::not_measured);
  CHECK(report::words(check_traffic(all)).observed() == "the output comes first");
  all = with_row(hand_made::shared(29, "shared_load_4", 400, 1));
  all[0].output.wrong = 1;
  CHECK(check_traffic(all).status == Status::failed);
}

TEST_CASE("counts of a run that strayed out of bounds are not judged") {
  auto all = with_row(hand_made::global(22, "global_load_4", 2 * 192, 4));
  all[0].observed.findings = {hand_made::finding(device::FindingKind::out_of_bounds, 22, false)};
  for (const auto& check : {check_coalescing(all), check_traffic(all), check_conflicts(all)}) {
    CHECK(check.status == Status::not_measured);
    CHECK(report::words(check).observed() == "memory comes first");
  }
}

TEST_CASE("conflict-free extra traffic does not dilute anything") {
  const auto all = with_row(hand_made::shared(29, "shared_load_4", 2 * 192, 1));
  CHECK(check_traffic(all).status == Status::failed);
  CHECK(report::words(check_traffic(all)).observed() ==
        "2 shared loads and 1 store per element, on line 29");
  CHECK(check_traffic(all).place.line == 29);
}

TEST_CASE("too little traffic is on no line") {
  const auto all = with_row(hand_made::shared(29, "shared_load_4", 150, 1));
  CHECK(check_traffic(all).status == Status::failed);
  CHECK(check_traffic(all).place.line == 0);
}

TEST_CASE("the traffic of whole warps for a few elements is counted by the block") {
  std::vector<Execution> all{transpose(1, 8)};
  auto& one = all[0];
  one.observed.launches.resize(1);
  one.observed.launches[0].grid = {2, 1, 1};
  one.bounds.shared_loads = one.bounds.shared_stores = {0, 64};
  one.observed.lines = {hand_made::shared(22, "shared_store_4", 16, 1),
                        hand_made::shared(29, "shared_load_4", 16, 1)};
  CHECK(report::words(check_traffic(all)).observed() == "8 shared loads and 8 stores per block");
  CHECK(report::words(check_traffic(all)).limit == "0 to 32");
}

TEST_CASE("traffic is counted in words, whatever the width of a request") {
  auto wide = hand_made::shared(29, "shared_load_16", 48, 1);
  wide.ideal = wide.wavefronts = 192;
  std::vector<Execution> all{transpose(64, 96)};
  all[0].observed.lines[2] = wide;
  CHECK(check_traffic(all).status == Status::passed);
}

TEST_CASE("a launch for an empty matrix is judged without dividing by its size") {
  auto empty = transpose(0, 32);
  empty.observed.lines = transpose(32, 32, 32).observed.lines;
  const std::vector<Execution> all{empty};
  CHECK(check_coalescing(all).status == Status::failed);
  CHECK(check_traffic(all).status == Status::failed);
  CHECK(check_conflicts(all).status == Status::failed);
}

TEST_CASE("loads and stores have sector limits of their own") {
  std::vector<Execution> all{transpose(64, 96)};
  all[0].bounds.global_stores.sectors -= 1;
  const auto check = check_coalescing(all);
  CHECK(check.status == Status::failed);
  CHECK(report::words(check).observed() == "4.00 sectors per request, on line 29");
  CHECK(report::words(check).limit == "3.99");
}

TEST_CASE("an uncoalesced store fails by its sectors, and its line is named") {
  const auto all = with_row(hand_made::global(29, "global_store_4", 192, 32));
  const auto check = check_coalescing(all);
  CHECK(check.status == Status::failed);
  CHECK(report::words(check).observed() == "32.0 sectors per request, on line 29");
  CHECK(report::words(check).limit == "4.0");
  CHECK(report::words(check).message ==
        "192 requests to store, for 6,144 elements, touched 6,144 sectors; 768 would do");
}

TEST_CASE("reading the input twice fails though each read is coalesced") {
  const auto all = with_row(hand_made::global(22, "global_load_4", 2 * 192, 4));
  const auto check = check_coalescing(all);
  CHECK(check.status == Status::failed);
  CHECK(report::words(check).observed() == "1,536 sectors loaded, on line 22");
  CHECK(report::words(check).limit == "768");
}

TEST_CASE("no global access is not coalesced access") {
  CHECK(check_coalescing(without(model::Memory::global)).status == Status::not_measured);
}

TEST_CASE("an execution that was ended leaves limits unmeasured") {
  const auto by = hand_made::finding(device::FindingKind::budget, 29, true);
  const std::vector<Execution> all{transpose(32, 32), ended(transpose(64, 96), by)};
  for (const auto& check : {check_coalescing(all), check_traffic(all), check_conflicts(all)}) {
    CHECK(check.status == Status::not_measured);
    CHECK(report::words(check).observed() == "the kernel was ended");
  }
}

TEST_CASE("a limit broken before another shape was ended is still broken") {
  const auto by = hand_made::finding(device::FindingKind::out_of_bounds, 29, true);
  const std::vector<Execution> all{transpose(32, 32, 32), ended(transpose(64, 96, 32), by)};
  CHECK(check_conflicts(all).status == Status::failed);
}

TEST_CASE("a bound by name holds at both ends and breaks one past them") {
  std::vector<Execution> all{transpose(32, 32)};
  const auto status = [&](std::uint64_t low, std::uint64_t high) {
    all[0].bounds.others["threads"] = {low, high};
    return check_counted(all, "threads").status;
  };
  CHECK(status(1024, 1024) == Status::passed);
  CHECK(status(1025, 2000) == Status::failed);
  CHECK(status(0, 1023) == Status::failed);
  CHECK(report::words(check_counted(all, "threads")).observed() == "1,024 threads");
  CHECK(report::words(check_counted(all, "threads")).limit == "1,023");
}

TEST_CASE("a number without a bound shows no limit, and one of a block no elements") {
  std::vector<Execution> all{transpose(32, 32)};
  CHECK(report::words(check_counted(all, "threads")).limit.empty());
  all[0].bounds.others["threads"] = {0, 1};
  CHECK(report::words(check_counted(all, "threads")).message ==
        "1,024 threads for 1,024 elements; the limit is 1");
  all[0].bounds.others["shared_bytes"] = {0, 4000};
  CHECK(report::words(check_counted(all, "shared_bytes")).message ==
        "4,096 bytes per block; the limit is 4,000");
}

TEST_CASE("each number by name is the one of that name") {
  std::vector<Execution> all{transpose(32, 32)};
  const auto value = [&](const char* name) { return check_counted(all, name).measures[0].value; };
  CHECK(value("launches") == 1);
  CHECK(value("shared_bytes") == 4096);
  CHECK(value("barriers") == 32);
  CHECK(value("instructions") == 960);
  CHECK(value("shuffles") == 0);
  CHECK(check_counted(all, "registers").status == Status::not_measured);
}

TEST_CASE("what a device cannot check is neither passed nor failed") {
  const auto check = impossible("time", facts::Missing::needs_gpu);
  CHECK(check.status == Status::not_measured);
  CHECK_FALSE(check.possible);
}

TEST_CASE("lines are added up over shapes, of one seed") {
  auto other = transpose(64, 96, 32);
  other.seed = 8;
  const std::vector<Execution> all{transpose(32, 32, 32), transpose(64, 96, 32), other};
  const auto rows = lines(all);
  REQUIRE(rows.size() == 4);
  std::uint64_t conflicts = 0, requests = 0;
  for (const auto& row : rows) {
    if (name_of(row.kind) != "shared_load_4") continue;
    conflicts = row.conflicts();
    requests = row.requests;
  }
  CHECK(requests == 32 + 192);
  CHECK(conflicts == 31 * requests);
}

TEST_CASE("a message that gives the number of elements has said a shape that is one") {
  std::vector<Execution> all{transpose(64, 96)};
  all[0].bounds.others["threads"] = {0, 1};
  CHECK_FALSE(report::words(check_counted(all, "threads")).says_shape);
  all[0].shape = "6,144 elements";
  CHECK(report::words(check_counted(all, "threads")).says_shape);
}

} // namespace course::judge

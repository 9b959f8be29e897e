#include "report/called_from.hpp"
#include "report/questions.hpp"

#include "device/message_id.hpp"
#include "judge/hand_made.hpp"

#include <doctest/doctest.h>

#include <set>
#include <string>

namespace course::report {
namespace {

std::string about_stride(std::int64_t words, const char* access = "shared_load_4") {
  auto line = judge::hand_made::shared(29, access, 10, 2);
  for (int lane = 0; lane < 32; ++lane) line.worst.offset[lane] = 100'000 + lane * words * 4;
  return ask_about_conflicts(line);
}

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

} // namespace

TEST_CASE("the question names the stride that was seen, in words") {
  CHECK(contains(about_stride(32), "read words 32 apart, and 32 is the number of banks"));
  CHECK(contains(about_stride(96), "96 apart, a multiple of 32"));
  CHECK(contains(about_stride(34), "34 apart, so they come back to the same bank after 16 lanes"));
  CHECK(contains(about_stride(34), "16 of the 32 banks have nothing to do"));
  CHECK(contains(about_stride(-32), "32 apart"));
  CHECK(contains(about_stride(32, "shared_store_4"), "write words"));
}

TEST_CASE("without a stride, two lanes that meet are named") {
  auto line = judge::hand_made::shared(29, "shared_load_4", 10, 2);
  for (int lane = 0; lane < 32; ++lane) line.worst.offset[lane] = lane * 4;
  line.worst.offset[7] = (3 + 64) * 4;
  CHECK(contains(ask_about_conflicts(line),
                 "Lanes 3 and 7 read words 3 and 67, and both words are in bank 3"));
}

TEST_CASE("two lanes that want one word do not meet") {
  auto line = judge::hand_made::shared(29, "shared_load_4", 10, 2);
  for (int lane = 0; lane < 32; ++lane) line.worst.offset[lane] = lane / 2 * 4;
  CHECK(contains(ask_about_conflicts(line), "Several lanes"));
}

TEST_CASE("lanes that update one word take turns") {
  auto line = judge::hand_made::shared(29, "atom_shared_add_u32", 10, 320);
  for (int lane = 0; lane < 32; ++lane) line.worst.offset[lane] = lane < 5 ? lane * 4 : 176 * 4;
  CHECK(contains(ask_about_conflicts(line),
                 "Lanes 5 and 6 update word 176, and lanes that update one word take turns"));
}

TEST_CASE("a request of one lane, or of none, is asked about without a stride") {
  auto line = judge::hand_made::shared(29, "shared_load_4", 10, 2);
  for (const std::uint32_t active : {0u, 1u, 0x80000000u}) {
    line.worst.active = active;
    CHECK(contains(ask_about_conflicts(line), "Several lanes"));
  }
}

TEST_CASE("the lanes that a question names are known to the picture") {
  auto line = judge::hand_made::shared(29, "shared_load_4", 10, 2);
  for (int lane = 0; lane < 32; ++lane) line.worst.offset[lane] = lane * 4;
  line.worst.offset[7] = (3 + 64) * 4;
  CHECK(lanes_in_conflict(line) == std::vector{3, 7});
  for (int lane = 0; lane < 32; ++lane) line.worst.offset[lane] = lane * 128;
  CHECK(lanes_in_conflict(line).empty());
}

TEST_CASE("scattered sectors are asked about by their distance") {
  const auto line = judge::hand_made::global(29, "global_store_4", 10, 32);
  CHECK(contains(ask_about_sectors({}, line), "write addresses 384 bytes apart, where 4 would do"));
  const auto dense = judge::hand_made::global(29, "global_load_4", 10, 4);
  CHECK(contains(ask_about_sectors({}, dense), "just too many requests"));
  auto shifted = judge::hand_made::global(29, "global_load_4", 10, 4);
  shifted.sectors += shifted.requests;
  CHECK(contains(ask_about_sectors({}, shifted), "in the middle of a sector"));
  auto patchy = judge::hand_made::global(29, "global_load_4", 10, 12);
  for (int lane = 0; lane < 32; ++lane) patchy.worst.offset[lane] = lane * lane * 8;
  CHECK(contains(ask_about_sectors({}, patchy), "Are all the bytes of those sectors wanted"));
}

TEST_CASE("requests of some lanes are asked about by who takes part, and not as read twice") {
  auto line = judge::hand_made::global(29, "global_load_4", 10, 3);
  line.worst.active = 0xffff;
  for (int lane = 0; lane < 32; ++lane) line.worst.offset[lane] = 28 + lane * 4;
  const auto question = ask_about_sectors({}, line);
  CHECK(contains(question, "read neighbours, and 16 of the 32 take part"));
  CHECK(!contains(question, "just too many requests"));
}

TEST_CASE("a bulk copy has no lanes to be asked about") {
  device::LineCounts line;
  line.kind = {model::RequestKind::bulk_global_load, 0};
  line.requests = line.sectors = 10;
  const auto question = ask_about_sectors({}, line);
  CHECK(contains(question, "one bulk copy, whichever call made it, and touches 1 sector of 32"));
}

TEST_CASE("a copy whose lanes share no bank is asked about its two sides") {
  auto line = judge::hand_made::shared(29, "cp_async_cg_16", 10, 8);
  line.worst.width = 16;
  for (int lane = 0; lane < 32; ++lane) line.worst.offset[lane] = 16 + lane * 16;
  CHECK(contains(ask_about_conflicts(line), "carries whole sectors of 32 bytes"));
  line = judge::hand_made::shared(29, "cp_async_ca_4", 10, 8);
  for (int lane = 0; lane < 32; ++lane) line.worst.offset[lane] = lane * 4;
  CHECK(contains(ask_about_conflicts(line), "has a bank on either side"));
}

TEST_CASE("loads that are in order but too many are asked about by their number") {
  const auto line = judge::hand_made::global(29, "global_load_4", 10, 4);
  judge::Check check;
  check.measures = {{"sectors_loaded", 40, 0, 20}};
  CHECK(contains(ask_about_sectors(check, line), "just too many requests"));
  check.measures = {{"sectors_loaded", 40, 0, 32}};
  CHECK(contains(ask_about_sectors(check, line), "just too many requests"));
}

TEST_CASE("one lane that updates again and again is asked what it waits for") {
  auto line = judge::hand_made::global(25, "global_atomic", 1000, 1);
  line.worst.active = 1;
  CHECK(contains(ask_about_sectors({}, line), "does it wait for another block"));
  auto load = judge::hand_made::global(25, "global_load_4", 1000, 1);
  load.worst.active = 1;
  CHECK(contains(ask_about_sectors({}, load), "One lane alone takes part"));
}

TEST_CASE("lanes of 16 bytes in conflict are told that they are, since the source may not say it") {
  auto line = judge::hand_made::shared(29, "shared_load_16", 10, 8);
  line.worst.width = 16;
  for (int lane = 0; lane < 32; ++lane) line.worst.offset[lane] = lane * 128;
  const auto question = ask_about_conflicts(line);
  CHECK(contains(question, "moves 16 bytes with one instruction"));
  CHECK(contains(question, "so 8 lanes are served at a time"));
}

TEST_CASE("what happened to a cluster is asked about by what it was, and not always by who ended") {
  device::Finding found;
  found.kind = device::FindingKind::cluster;
  CHECK(contains(ask_about_finding(found), "is done first"));
  found.message = device::Message(device::MessageId::aligned_by_some, "lanes 0-13");
  CHECK(contains(ask_about_finding(found), "With .aligned"));
  found.message = device::Message(device::MessageId::cluster_waits, 96, 128);
  CHECK(contains(ask_about_finding(found), "Which of them never come here"));
}

TEST_CASE("a bulk copy is asked about by the rule that it breaks, and not always by its numbers") {
  using device::Message;
  using Id = device::MessageId;
  auto copy = judge::hand_made::finding(device::FindingKind::bulk_copy, 29, false);
  const auto asked = [&](Message message) {
    copy.message = std::move(message);
    return ask_about_finding(copy);
  };
  CHECK(contains(asked(Message(Id::bulk_of_odd_size, 20, 16)), "its three numbers"));
  CHECK(contains(asked(Message(Id::ends_while_copy_reads)), "What does its thread wait for"));
  CHECK(contains(asked(Message(Id::ends_while_copy_writes)), "Which barrier is told"));
  CHECK(contains(asked(Message(Id::copies_to_other_block, 1, 0)), "in which block is the barrier"));
  CHECK(contains(asked(Message(Id::no_tensor_map)), "Which map is this copy given"));
}

TEST_CASE("a race is asked about by how its accesses meet") {
  device::Finding race;
  race.kind = device::FindingKind::race;
  race.meeting = device::Meeting::one_instruction;
  CHECK(contains(ask_about_finding(race), "Two lanes of one warp"));
  race.meeting = device::Meeting::copy_in_flight;
  CHECK(contains(ask_about_finding(race), "What waits for it"));
  race.meeting = device::Meeting::between_blocks;
  CHECK(contains(ask_about_finding(race), "Blocks run in any order"));
  race.meeting = device::Meeting::between_streams;
  CHECK(contains(ask_about_finding(race), "Which event"));
  race.meeting = {};
  CHECK(contains(ask_about_finding(race), "Threads do not run in step"));
  race.kind = device::FindingKind::warp_barrier;
  CHECK(contains(ask_about_finding(race), "__syncwarp()"));
  race.kind = device::FindingKind::stack;
  CHECK(contains(ask_about_finding(race), "no longer call itself"));
}

TEST_CASE("a race at a barrier in memory is asked about as one, and others are not") {
  using device::Message;
  using Id = device::MessageId;
  device::Finding race;
  race.kind = device::FindingKind::race;
  const auto asked = [&](Message lacking) {
    race.message = Message(Id::meets, "reads s[1]", "thread (0,0,0) wrote", std::move(lacking));
    return ask_about_finding(race);
  };
  const auto because = [](Message phase) {
    return Message(Id::no_barrier_nor_phase, std::move(phase));
  };
  CHECK(contains(asked(Message(Id::no_barrier)), "Threads do not run in step"));
  CHECK(contains(asked(because(Message(Id::phase_tells_nothing, "phase 0 of full"))),
                 "on which side of its access"));
  CHECK(contains(asked(because(Message(Id::phase_not_waited_for, "phase 0 of full"))),
                 "with which parity"));
  CHECK(contains(asked(because(Message(Id::no_phase_waited_for))), "who arrives there"));
  race.meeting = device::Meeting::copy_in_flight;
  race.message =
      Message(Id::tracked_copy_still_writes, "reads s[1]", "thread (0,0,0)", "phase 0 of full");
  CHECK(contains(ask_about_finding(race), "with which parity"));
  race.message = Message(Id::product_may_read, "writes s[1]", "the wgmma", 0);
  CHECK(contains(ask_about_finding(race), "when this tile is filled again"));
  race.message = Message(Id::product_has_read, "writes s[1]", "the wgmma", 0);
  CHECK(contains(ask_about_finding(race), "tells the warp that waits"));
  race.message = Message(Id::copy_still_writes, "reads s[1]", "thread (0,0,0)");
  CHECK(contains(ask_about_finding(race), "What waits for it"));
}

TEST_CASE(
    "a register that a product still has is asked about by its wait, what else is wrong not") {
  device::Finding wgmma;
  wgmma.kind = device::FindingKind::wgmma;
  wgmma.message = device::Message(device::MessageId::reads_result_early, "the wgmma");
  CHECK(contains(ask_about_finding(wgmma), "under way on this line"));
  wgmma.message = device::Message(device::MessageId::no_first_fence);
  CHECK(contains(ask_about_finding(wgmma), "Which of these does not hold"));
}

TEST_CASE("a finding in a helper says who called it") {
  device::Finding finding;
  CHECK(called_from(finding).empty());
  finding.called_from = {20, 33};
  CHECK(called_from(finding) == " Called from line 20, and there from line 33.");
}

TEST_CASE("the author's question comes before a general one, and after what is seen") {
  judge::Check check;
  check.question = "Where do the sums of the blocks meet?";
  judge::WrongOutput wrong;
  wrong.comparison.wrong = 1;
  CHECK(ask_about_output(check, wrong) == check.question);
  wrong.comparison.pattern = judge::Pattern::last_row;
  CHECK(contains(ask_about_output(check, wrong), "Only the last row"));
  check.name = "shuffles";
  check.measures = {{"shuffles", 1, 0, 0}};
  CHECK(ask_about(check) == check.question);
  const auto strided = judge::hand_made::global(29, "global_load_4", 10, 32);
  CHECK(contains(ask_about_sectors(check, strided), "384 bytes apart"));
}

TEST_CASE("a number is asked about by the end of its limit that it missed") {
  judge::Check check;
  check.name = "shuffles";
  check.measures = {{"shuffles", 0, 5, 10}};
  CHECK(contains(ask_about(check), "take more shuffles"));
  check.measures = {{"shuffles", 11, 5, 10}};
  CHECK(contains(ask_about(check), "nobody waits for"));
  check.name = "a number of an exercise's own";
  CHECK(ask_about(check).empty());
}

TEST_CASE("requests of one element each are asked about by their number") {
  auto line = judge::hand_made::global(29, "global_load_4", 10, 1);
  line.sectors = line.requests;
  line.worst.offset.fill(4096);
  CHECK(contains(ask_about_sectors({}, line), "read one and the same address"));
  line.kind = {model::RequestKind::global_atomic, 0};
  CHECK(contains(ask_about_sectors({}, line), "updates one address for all its lanes"));
  line.worst.active = 1u << 7;
  CHECK(contains(ask_about_sectors({}, line), "One lane alone updates a word"));
  line.sectors = 2 * line.requests; // not of one element each, then
  CHECK_FALSE(contains(ask_about_sectors({}, line), "One lane alone"));
}

TEST_CASE("a distance that most neighbours keep is named, one of half of them is not") {
  auto line = judge::hand_made::global(29, "global_store_4", 10, 30);
  for (int lane = 0; lane < 32; ++lane) line.worst.offset[lane] = lane * 96 + lane / 16 * 1000;
  CHECK(contains(ask_about_sectors({}, line), "write addresses 96 bytes apart, where 4 would do"));
  for (int lane = 0; lane < 32; ++lane) line.worst.offset[lane] = lane * 96 + lane / 2 * 1000;
  CHECK_FALSE(contains(ask_about_sectors({}, line), "bytes apart"));
}

TEST_CASE("what one lane leaves out before the next is asked about, not an index") {
  auto line = judge::hand_made::global(29, "global_load_4", 10, 16);
  for (int lane = 0; lane < 32; ++lane) line.worst.offset[lane] = lane * 16; // a float4's .x
  const auto question = ask_about_sectors({}, line);
  CHECK(contains(question, "read 4 bytes of every 16"));
  CHECK(contains(question, "Who reads the 12 bytes between"));
}

TEST_CASE("a sector too many is asked about where it is what is too much") {
  auto line = judge::hand_made::global(29, "global_load_4", 10, 4);
  line.sectors += line.requests;
  judge::Check check;
  check.measures = {{"sectors_loaded", 50, 0, 44}};
  CHECK(contains(ask_about_sectors(check, line), "in the middle of a sector"));
  check.measures = {{"sectors_loaded", 150, 0, 44}}; // of three lines
  CHECK(contains(ask_about_sectors(check, line), "just too many requests"));
}

TEST_CASE("shared memory where none is allowed is asked about as that") {
  judge::Check check;
  check.name = "shared_bytes";
  check.measures = {{"shared_bytes", 256, 0, 128}};
  CHECK(contains(ask_about(check), "which of them are never used"));
  check.measures = {{"shared_bytes", 256, 0, 0}};
  CHECK(contains(ask_about(check), "without shared memory"));
}

TEST_CASE("an output of nothing but zeros is called so") {
  judge::Check check;
  judge::WrongOutput wrong;
  wrong.buffer = "out";
  wrong.comparison.elements = wrong.comparison.wrong = wrong.comparison.zeros = 8;
  CHECK(contains(ask_about_output(check, wrong), "Every element of `out` is 0. Which"));
  check.question = "Which constants make up this element?";
  CHECK(ask_about_output(check, wrong) == "Every element of `out` is 0. " + check.question);
  wrong.comparison.zeros = 7;
  CHECK(ask_about_output(check, wrong) == check.question);
}

TEST_CASE("the last of one row is an element, and of a matrix a column") {
  judge::WrongOutput wrong;
  wrong.comparison.wrong = 1;
  wrong.comparison.pattern = judge::Pattern::last_column;
  wrong.comparison.extent = {1, 9};
  CHECK(contains(ask_about_output({}, wrong), "Only the last element is wrong. Which thread"));
  wrong.comparison.extent = {9, 9};
  CHECK(contains(ask_about_output({}, wrong), "Only the last column is wrong. Which thread"));
  judge::Check check;
  check.question = "Which elements are missing from this sum?";
  CHECK(ask_about_output(check, wrong) == "Only the last column is wrong. " + check.question);
  wrong.comparison.unwritten = 1;
  CHECK(contains(ask_about_output(check, wrong), "Only the last column is wrong. Which thread"));
  wrong.comparison.pattern = judge::Pattern::none;
  CHECK(contains(ask_about_output(check, wrong), "not everything is written"));
}

TEST_CASE("a call that was refused is not called a launch") {
  judge::Check check;
  check.name = "launch";
  check.facts = judge::facts::CallRefused{"cudaFuncSetAttribute", "cudaErrorInvalidValue", ""};
  CHECK(contains(ask_about(check), "A call that is refused returns why"));
  check.facts = judge::facts::CallRefused{"cudaLaunchKernel", "cudaErrorInvalidValue", ""};
  CHECK(contains(ask_about(check), "A launch that is refused says nothing by itself"));
}

TEST_CASE("a race between two lines names them so that either order of them is true") {
  auto race = judge::hand_made::finding(device::FindingKind::race, 29, false);
  race.other_line = 22;
  const auto question = ask_about_finding(race);
  CHECK(contains(question, "from line 29 while another is at line 22, or, in a loop"));
  CHECK(contains(question, "from the next round's line 22 while another is at line 29"));
  std::swap(race.line, race.other_line);
  CHECK(ask_about_finding(race) == question);
  race.other_line = race.line;
  CHECK(contains(ask_about_finding(race), "at the same time"));
}

TEST_CASE("a race between blocks is asked about as one, for a barrier does not reach so far") {
  auto race = judge::hand_made::finding(device::FindingKind::race, 29, false);
  race.meeting = device::Meeting::between_blocks;
  race.other_line = 22;
  CHECK(contains(ask_about_finding(race), "orders line 22 of one block and line 29 of another"));
  race.other_line = race.line;
  CHECK(contains(ask_about_finding(race), "take turns at this element"));
}

TEST_CASE("every kind of finding has a question of its own") {
  using device::FindingKind;
  std::set<std::string> seen;
  for (int kind = 0; kind <= static_cast<int>(FindingKind::read_only); ++kind) {
    const auto question =
        ask_about_finding(judge::hand_made::finding(static_cast<FindingKind>(kind), 29, false));
    CHECK(question.ends_with("?"));
    CHECK(seen.insert(question).second);
  }
}

TEST_CASE("traffic is asked about by what is missing or too much") {
  judge::Check check;
  check.name = "traffic";
  check.measures = {{"shared_loads", 0, 10, 10}, {"shared_stores", 0, 10, 10}};
  CHECK(contains(ask_about(check), "none is touched"));
  check.measures[0].value = 5;
  CHECK(contains(ask_about(check), "passes fewer times"));
  check.measures = {{"shared_loads", 20, 10, 10}, {"shared_stores", 10, 10, 10}};
  CHECK(contains(ask_about(check), "moves more here than the work takes"));
  check.question = "How many warps load and store in each round?";
  CHECK(ask_about(check) == check.question);
}

TEST_CASE("a value that is not made of the subject is asked about in the exercise's words") {
  judge::Check check;
  check.name = "uses";
  check.measures = {{"elements_astray", 9, 0, 0}}; // which is about no amount
  CHECK(contains(ask_about(check), "By which instructions does this value get"));
  check.question = "Where does the compiler find these cosines?";
  CHECK(ask_about(check) == check.question);
}

} // namespace course::report

#include "judge/correctness.hpp"

#include "judge/hand_made.hpp"

#include "report/words/check_words.hpp"

#include <doctest/doctest.h>

#include <bit>

namespace course::judge {
namespace {

using device::FindingKind;
using hand_made::ended;
using hand_made::finding;
using hand_made::transpose;

void spoil(Execution& execution) {
  auto& output = execution.output;
  output.wrong = 3;
  output.unwritten = 0;
  Element first;
  first.row = 3;
  first.col = 5;
  first.expected = 2.5f;
  first.got = 1.5f;
  output.first = first;
}

} // namespace

TEST_CASE("a complete, right execution passes all three") {
  const std::vector<Execution> all{transpose(32, 32), transpose(64, 96)};
  CHECK(check_kernel(all).status == Status::passed);
  CHECK(check_output(all).status == Status::passed);
  CHECK(check_memory(all).status == Status::passed);
}

TEST_CASE("nothing executed is never a pass") {
  CHECK(check_kernel({}).status == Status::not_measured);
  CHECK(check_output({}).status == Status::not_measured);
  CHECK(check_memory({}).status == Status::not_measured);
}

TEST_CASE("one wrong execution among right ones fails the output and is the one shown") {
  std::vector<Execution> all{transpose(32, 32), transpose(64, 96)};
  spoil(all[0]);
  const auto check = check_output(all);
  CHECK(check.status == Status::failed);
  CHECK(check.shape == "32 x 32");
  CHECK(report::words(check).observed() == "3 of 1,024 elements wrong");
  CHECK(report::words(check).message == "out[3][5] is 1.5; expected 2.5");
}

TEST_CASE("elements that were never written are said so") {
  std::vector<Execution> all{transpose(32, 32)};
  spoil(all[0]);
  all[0].output.unwritten = 3;
  all[0].output.first->unwritten = true;
  CHECK(report::words(check_output(all)).observed() == "3 of 1,024 elements never written");
  CHECK(report::words(check_output(all)).message == "out[3][5] was never written; expected 2.5");
}

TEST_CASE("a kernel without end fails `kernel` alone") {
  const auto endless = finding(FindingKind::budget, 30, true);
  const std::vector<Execution> all{transpose(32, 32), ended(transpose(64, 96), endless)};
  const auto kernel = check_kernel(all);
  CHECK(kernel.status == Status::failed);
  CHECK(report::words(kernel).observed() == "did not end, on line 30");
  CHECK(check_output(all).status == Status::not_measured);
  CHECK(check_memory(all).status == Status::not_measured);
}

TEST_CASE("an access out of bounds fails `memory` alone") {
  const auto outside = finding(FindingKind::out_of_bounds, 27, true);
  const std::vector<Execution> all{ended(transpose(64, 96), outside)};
  CHECK(check_kernel(all).status == Status::passed);
  CHECK(check_output(all).status == Status::not_measured);
  CHECK(report::words(check_output(all)).observed() == "memory comes first");
  const auto memory = check_memory(all);
  CHECK(memory.status == Status::failed);
  CHECK(report::words(memory).observed() == "out of bounds, on line 27");
  CHECK(memory.place.line == 27);
}

TEST_CASE("a race names both lines") {
  auto race = finding(FindingKind::race, 29, false);
  race.other_line = 22;
  std::vector<Execution> all{transpose(32, 32)};
  all[0].observed.findings = {race};
  CHECK(report::words(check_memory(all)).observed() == "a race, lines 22 and 29");
  CHECK(check_output(all).status == Status::passed);
}

TEST_CASE("a note fails nothing, unless it is forbidden, and hides no race") {
  std::vector<Execution> all{transpose(32, 32)};
  all[0].observed.findings = {finding(FindingKind::same_value, 29, false)};
  CHECK(check_memory(all).status == Status::passed);
  CHECK(report::words(check_memory(all, Notes::forbidden)).observed() ==
        "one value stored by several threads, on line 29");
  all[0].observed.findings.push_back(finding(FindingKind::race, 31, false));
  CHECK(report::words(check_memory(all)).observed() == "a race, on line 31");
}

TEST_CASE("a barrier that some miss is shown before the races that come from it") {
  std::vector<Execution> all{transpose(32, 32)};
  all[0].observed.findings = {finding(FindingKind::race, 29, false),
                              finding(FindingKind::barrier, 24, false)};
  CHECK(report::words(check_memory(all)).observed() ==
        "a barrier that part of a block misses, on line 24");
  all[0].observed.findings.push_back(finding(FindingKind::out_of_bounds, 31, true));
  CHECK(report::words(check_memory(all)).observed() == "out of bounds, on line 31");
}

TEST_CASE("what ended the kernel is shown before what came first") {
  std::vector<Execution> all{transpose(32, 32)};
  all[0].observed.findings = {finding(FindingKind::race, 29, false),
                              finding(FindingKind::misaligned, 31, true)};
  CHECK(report::words(check_memory(all)).observed() == "misaligned, on line 31");
}

TEST_CASE("a changed input fails `memory`") {
  std::vector<Execution> all{transpose(32, 32)};
  all[0].damage = {{Damage::Where::within, "in", 4096}};
  CHECK(check_memory(all).status == Status::failed);
  CHECK(report::words(check_memory(all)).message == "`in` was changed at byte 4,096");
}

TEST_CASE("an empty kernel is not praised for its memory accesses") {
  std::vector<Execution> all{transpose(32, 32)};
  all[0].observed.lines.clear();
  CHECK(check_memory(all).status == Status::not_measured);
}

TEST_CASE("a kernel that cannot be executed is neither right nor wrong") {
  std::vector<Execution> all{transpose(32, 32)};
  all[0].observed.status = device::Observation::Status::unsupported;
  all[0].observed.reason = "`wgmma` on line 12";
  CHECK(check_kernel(all).status == Status::not_measured);
  CHECK(report::words(check_kernel(all)).message == "`wgmma` on line 12");
  CHECK(check_output(all).status == Status::not_measured);
  CHECK(check_memory(all).status == Status::not_measured);
}

TEST_CASE("a kernel that does many times the work fails, and says how much it is") {
  std::vector<Execution> all{hand_made::transpose(64, 96)};
  auto& cost = all[0].bounds.cost;
  cost.instructions = all[0].observed.launches[0].instructions;
  CHECK(check_kernel(all).status == Status::passed);
  --cost.instructions;
  const auto check = check_kernel(all);
  CHECK(check.status == Status::failed);
  CHECK(report::words(check).observed() == "5,760 instructions");
  CHECK(report::words(check).limit == "5,759");
  cost = {};
  cost.requests = 4 * 192 - 1;
  CHECK(report::words(check_kernel(all)).observed() == "768 requests to memory");
  cost.requests = 4 * 192;
  CHECK(check_kernel(all).status == Status::passed);
}

} // namespace course::judge

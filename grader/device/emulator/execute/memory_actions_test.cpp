// Instructions of memory with an action of their own.
#include "device/emulator/test_run.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstring>
#include <numeric>

namespace course::emulator {
namespace {

using device::FindingKind;

// 32 lanes discard the line at `memory` plus 128 times their number where that is below `lines`,
// meet, and then either write the first of `memory`'s words anew and read them, or only read them.
std::string discards(const std::string& writes, const std::string& offset = "0") {
  return ".version 8.0\n.target sm_90\n.address_size 64\n"
         ".visible .entry k(.param .u64 memory, .param .u64 out, .param .u32 lines)\n{\n"
         ".reg .b32 %r<6>; .reg .b64 %rd<8>; .reg .pred %p<3>;\n"
         "ld.param.u64 %rd0, [memory]; ld.param.u64 %rd1, [out]; ld.param.u32 %r1, [lines];\n"
         "mov.u32 %r0, %tid.x; setp.lt.u32 %p0, %r0, %r1;\n"
         "mul.wide.u32 %rd2, %r0, 128; add.s64 %rd3, %rd0, %rd2;\n"
         "@%p0 discard.global.L2 [%rd3+" +
         offset +
         "], 128;\nbar.sync 0;\n"
         "mul.wide.u32 %rd4, %r0, 4; add.s64 %rd5, %rd0, %rd4; add.s64 %rd6, %rd1, %rd4;\n" +
         writes + "ld.global.u32 %r3, [%rd5]; st.global.u32 [%rd6], %r3;\nret;\n}\n";
}

struct Discards : TestRun {
  explicit Discards(const std::string& ptx, unsigned lines = 4) : TestRun(ptx) {
    std::vector<unsigned> numbers(128);
    std::iota(numbers.begin(), numbers.end(), 1u);
    const auto out = buffer("out", std::vector<unsigned>(32), false);
    const auto memory = buffer("memory", numbers, false);
    device::Bytes bytes(numbers.size() * sizeof(unsigned));
    std::memcpy(bytes.data(), numbers.data(), bytes.size());
    job.plan.steps.push_back(device::Upload{memory, bytes});
    launch("k", {1}, {32}, 0, memory, out, lines).run();
  }
};

} // namespace

TEST_CASE("discarded memory that is written again is as any other") {
  Discards run(discards("st.global.u32 [%rd5], %r0;\n"));
  CHECK(run.why() == "");
  CHECK(run.seen.findings.empty());
  CHECK(run.result<unsigned>(0)[31] == 31);
}

TEST_CASE("memory that nobody has discarded keeps its values") {
  Discards run(discards(""), 0);
  CHECK(run.seen.findings.empty());
  CHECK(run.result<unsigned>(0)[31] == 32);
}

TEST_CASE("what was discarded is unknown to who reads it") {
  Discards run(discards(""));
  REQUIRE(run.seen.findings.size() == 1);
  CHECK(run.seen.findings[0].kind == FindingKind::uninitialised);
  CHECK(run.result<unsigned>(0)[0] != 1);
}

TEST_CASE("a discard that others write to without an order is a race") {
  std::string text = discards("");
  text.replace(text.find("bar.sync 0;"), 11, "st.global.u32 [%rd0+4], %r0;");
  Discards run(text, 1);
  const auto is_race = [](const device::Finding& each) { return each.kind == FindingKind::race; };
  CHECK(std::ranges::count_if(run.seen.findings, is_race) == 1);
}

TEST_CASE("only whole lines of an allocation can be discarded") {
  Discards misaligned(discards("st.global.u32 [%rd5], %r0;\n", "4"), 1);
  REQUIRE(!misaligned.seen.findings.empty());
  CHECK(misaligned.seen.findings[0].kind == FindingKind::misaligned);

  Discards behind(discards("st.global.u32 [%rd5], %r0;\n"), 5); // there are four
  REQUIRE(!behind.seen.findings.empty());
  CHECK(behind.seen.findings[0].kind == FindingKind::out_of_bounds);
}

} // namespace course::emulator

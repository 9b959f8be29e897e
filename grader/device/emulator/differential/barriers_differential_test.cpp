// Barriers of random groups of warps, against what the threads of each group did: nobody passes
// before all have come, and bar.red counts everybody's predicate.
#include "device/emulator/differential/lane_data.hpp"
#include "device/emulator/differential/seed.hpp"
#include "device/emulator/test_run.hpp"

#include <doctest/doctest.h>

#include <array>
#include <tuple>

namespace course::emulator::differential {
namespace {

using Word = std::uint32_t;

constexpr std::size_t kPhases = 4;
constexpr std::size_t kWords = 2 * kPhases; // of a thread, in the input and the output

struct Round {
  std::size_t threads = 0;
  std::vector<Word> group;     // of each warp
  std::array<Word, 3> count{}; // threads of each group, in whole warps
  bool whole = false;          // one group, and no count is written
  bool negated = false, by_register = false;
  std::string prefix = "bar", suffix; // barrier.cta … .aligned
  std::vector<Word> in;               // of a thread: its predicates, and whom it reads

  Word group_of(std::size_t thread) const { return group[thread / 32]; }
};

Round random_round(LaneData& data) {
  static const std::size_t sizes[] = {32, 64, 70, 128, 161, 256};
  Round round;
  round.threads = sizes[data.below(6)];
  round.whole = data.below(3) == 0;
  round.negated = data.below(2);
  round.by_register = data.below(2);
  static const std::pair<const char*, const char*> spellings[] = {
      {"bar", ""}, {"bar.cta", ""}, {"barrier", ""}, {"barrier.cta", ""}, {"barrier", ".aligned"}};
  std::tie(round.prefix, round.suffix) = spellings[data.below(5)];
  for (std::size_t first = 0; first < round.threads; first += 32) {
    round.group.push_back(round.whole ? 0 : static_cast<Word>(data.below(3)));
    round.count[round.group.back()] += 32;
  }
  const Bits mostly = data.below(3);
  round.in.resize(round.threads * kWords);
  for (std::size_t t = 0; t < round.threads; ++t) {
    std::vector<Word> peers;
    for (std::size_t other = 0; other < round.threads; ++other)
      if (round.group_of(other) == round.group_of(t)) peers.push_back(static_cast<Word>(other));
    for (std::size_t phase = 0; phase < kPhases; ++phase) {
      const bool rare = data.below(2 * round.threads) == 0;
      round.in[t * kWords + phase] =
          static_cast<Word>(mostly == 2 ? data.below(2) : mostly != Bits{rare});
      round.in[t * kWords + kPhases + phase] = peers[data.below(peers.size())];
    }
  }
  return round;
}

// What thread `t` leaves in shared memory in a phase.
Word left_by(std::size_t thread, std::size_t phase) {
  return static_cast<Word>(thread * 1000 + phase);
}

const char* form_of(std::size_t phase) {
  static const char* forms[kPhases] = {"popc.u32", "and.pred", "or.pred", "sync"};
  return forms[phase];
}

std::string kernel_of(const Round& round) {
  std::string text =
      ".version 9.0\n.target sm_90\n.address_size 64\n"
      ".visible .entry k(.param .u64 out, .param .u64 in, .param .u64 groups) {\n"
      ".reg .b64 %o, %a, %x; .reg .b32 %t, %mine, %id, %n, %v, %p, %got; .reg .pred %q, %r;\n"
      ".shared .align 4 .b8 s[1024];\n"
      "ld.param.u64 %o, [out]; ld.param.u64 %a, [in]; ld.param.u64 %x, [groups];\n"
      "mov.u32 %t, %tid.x; mad.wide.u32 %o, %t, " +
      std::to_string(kWords * 4) +
      ", %o;\n"
      "mad.wide.u32 %a, %t, " +
      std::to_string(kWords * 4) +
      ", %a;\n"
      "shr.u32 %v, %t, 5; mad.wide.u32 %x, %v, 8, %x; ld.global.v2.u32 {%id, %n}, [%x];\n"
      "mov.u32 %mine, s; mad.lo.u32 %mine, %t, 4, %mine;\n";
  const std::string id = round.by_register || !round.whole ? "%id" : "5";
  const std::string where = " " + (round.whole ? id : id + ", %n");
  const std::string sync = round.prefix + ".sync" + round.suffix + where + ";\n";
  for (std::size_t phase = 0; phase < kPhases; ++phase) {
    const std::string at = std::to_string(phase * 4), from = std::to_string((kPhases + phase) * 4);
    text += "mad.lo.u32 %v, %t, 1000, " + std::to_string(phase) + "; st.shared.u32 [%mine], %v;\n";
    text += "ld.global.u32 %p, [%a+" + at + "]; setp.ne.u32 %q, %p, 0; mov.u32 %got, 7;\n";
    const std::string form = form_of(phase);
    if (form == "sync") {
      text += sync;
    } else {
      const bool counts = form == "popc.u32";
      text += round.prefix + ".red." + form.substr(0, form.find('.')) + round.suffix +
              form.substr(form.find('.')) + (counts ? " %got," : " %r,") + where +
              (round.negated ? ", !%q;\n" : ", %q;\n");
      if (!counts) text += "selp.u32 %got, 1, 0, %r;\n";
    }
    text += "ld.global.u32 %v, [%a+" + from + "]; mov.u32 %p, s; mad.lo.u32 %p, %v, 4, %p;\n";
    text += "ld.shared.u32 %v, [%p];\nst.global.u32 [%o+" + at + "], %got; st.global.u32 [%o+" +
            from + "], %v;\n" + sync;
  }
  return text + "ret;\n}\n";
}

Word expected_of(const Round& round, std::size_t thread, std::size_t phase) {
  Word trues = 0, all = 0;
  for (std::size_t t = 0; t < round.threads; ++t) {
    if (round.group_of(t) != round.group_of(thread)) continue;
    ++all;
    trues += (round.in[t * kWords + phase] != 0) != round.negated;
  }
  const std::string form = form_of(phase);
  if (form == "popc.u32") return trues;
  if (form == "and.pred") return trues == all;
  return form == "or.pred" ? trues > 0 : 7;
}

std::string difference(const Round& round, device::Device& device) {
  TestRun run(kernel_of(round));
  std::vector<Word> groups;
  for (const Word group : round.group) {
    groups.push_back(round.by_register ? 3 + group * 5 : 5 + group);
    groups.push_back(round.count[group]);
  }
  const auto out = run.buffer("out", std::vector<Word>(round.threads * kWords));
  const auto in = run.buffer("in", round.in);
  const auto of_warps = run.buffer("groups", groups);
  run.launch("k", {1}, {static_cast<Word>(round.threads)}, 0, out, in, of_warps);
  run.seen = device.execute(run.job);
  const std::string what = round.prefix + round.suffix + (round.whole ? "" : " with counts") +
                           (round.negated ? " !p" : "") + " of " + std::to_string(round.threads) +
                           " threads";
  if (!run.seen.reason.empty() || !run.findings().empty())
    return what + ": " + run.why() + run.findings() + kernel_of(round);
  const auto results = run.result<Word>(0);
  for (std::size_t t = 0; t < round.threads; ++t) {
    for (std::size_t phase = 0; phase < kPhases; ++phase) {
      const Word got = results[t * kWords + phase], read = results[t * kWords + kPhases + phase];
      const Word expected = expected_of(round, t, phase);
      const Word from = round.in[t * kWords + kPhases + phase];
      if (got == expected && read == left_by(from, phase)) continue;
      return what + ", " + form_of(phase) + ": thread " + std::to_string(t) + " got " +
             std::to_string(got) + " instead of " + std::to_string(expected) + ", and read " +
             std::to_string(read) + " instead of " + std::to_string(left_by(from, phase));
    }
  }
  return {};
}

} // namespace

TEST_CASE("random groups of warps wait for each other and reduce their predicates") {
  const std::uint64_t first = seed(20260704);
  const std::uint64_t blocks = 200 * rounds() / kOneOf;
  const auto device = make_device({1, true});
  for (std::uint64_t i = 0; i < blocks; ++i) {
    LaneData data(first + i);
    const std::string differs = difference(random_round(data), *device);
    CHECK_MESSAGE(differs.empty(), "seed " << first << ", block " << i << ": " << differs);
  }
  MESSAGE("4 forms of barriers, in five spellings, with and without counts: " << blocks
                                                                              << " blocks");
}

// Producers do not wait; consumers see what they left, and nobody's predicate but their own counts.
TEST_CASE("warps that only arrive let the others go") {
  const std::string ptx = ".version 9.0\n.target sm_90\n.address_size 64\n"
                          ".visible .entry k(.param .u64 out, .param .u32 producers) {\n"
                          ".reg .b64 %o; .reg .b32 %t, %w, %n, %v; .reg .pred %p, %q, %r;\n"
                          ".shared .align 4 .b8 s[512];\n"
                          "ld.param.u64 %o, [out]; ld.param.u32 %n, [producers];\n"
                          "mov.u32 %t, %tid.x; shr.u32 %w, %t, 5; mad.wide.u32 %o, %t, 4, %o;\n"
                          "mov.u32 %v, s; mad.lo.u32 %v, %t, 4, %v; setp.lt.u32 %p, %w, %n;\n"
                          "@!%p bra CONSUME;\n"
                          "st.shared.u32 [%v], %t; bar.arrive 2, 128;\nbra END;\n"
                          "CONSUME:\n"
                          "setp.ne.u32 %q, %w, 9; bar.red.and.pred %r, 2, 128, %q;\n"
                          "and.b32 %v, %t, 31; mov.u32 %w, s; mad.lo.u32 %v, %v, 4, %w;\n"
                          "ld.shared.u32 %v, [%v]; @!%r mov.u32 %v, 99;\n"
                          "st.global.u32 [%o], %v;\nEND:\nret;\n}\n";
  for (Word producers = 1; producers < 4; ++producers) {
    CAPTURE(producers);
    TestRun run(ptx);
    const auto out = run.buffer("out", std::vector<Word>(128, 1234));
    run.launch("k", {1}, {128}, 0, out, producers).run();
    REQUIRE(run.why() + run.findings() == "");
    for (Word t = 0; t < 128; ++t)
      CHECK(run.result<Word>(0)[t] == (t / 32 < producers ? 1234 : t % 32));
  }
}

} // namespace course::emulator::differential

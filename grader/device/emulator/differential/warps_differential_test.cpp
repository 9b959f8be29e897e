// Every exchange between lanes against its reference: random lanes take part, in one or two groups
// with masks of their own, side by side or in different branches, under a guard, and while others
// have ended. A shuffle that reads a lane outside its group is reported, and no other is.
#include "device/emulator/decode/instruction_set.hpp"
#include "device/emulator/differential/lane_data.hpp"
#include "device/emulator/differential/seed.hpp"
#include "device/emulator/differential/warp_reference.hpp"
#include "device/emulator/test_run.hpp"

#include <doctest/doctest.h>

#include <algorithm>

namespace course::emulator::differential {
namespace {

constexpr std::size_t kThreads = 96;
constexpr std::size_t kRecord = 8; // 64-bit numbers a thread
enum Field { kValue, kOperand, kControl, kPredicate, kPath, kMembers, kOld, kOldSecond };
enum Path : Bits { kIdle, kFirst, kSecondPath, kEnded };

// How the lanes come to the instruction.
enum class Shape {
  around,  // idle lanes branch around it
  apart,   // the two groups execute it in different branches
  guarded, // idle lanes have a false guard
};

struct Round {
  Shape shape{};
  bool second = false;  // written d|p
  bool negated = false; // !p
  bool only_second = false;
  std::vector<Bits> in;
};

Bits control_of_width(LaneData& data) { // as __shfl_sync makes it, or anything
  const Bits width = Bits{1} << data.below(6);
  switch (data.below(4)) {
  case 0:
    return data.source(32);
  case 1:
    return (32 - width) << 8; // of shfl.up
  default:
    return (32 - width) << 8 | 31;
  }
}

Round random_round(const WarpForm& form, LaneData& data) {
  Round round;
  round.shape = static_cast<Shape>(data.below(3));
  using S = WarpForm::Second;
  round.second = form.second == S::always || (form.second == S::optional && data.below(2));
  round.only_second = round.second && data.below(4) == 0;
  round.negated = form.operands[1] == 'p' && data.below(2);
  round.in.resize(kThreads * kRecord);
  const bool alike = data.below(2), same_operand = data.below(2);
  const Bits operand = data.source(32), control = control_of_width(data);
  for (std::size_t first = 0; first < kThreads; first += 32) {
    const Bits mixture = data.below(5); // 0: all lanes in one group
    const Bits common = data.source(64), predicates = data.below(3);
    std::uint32_t lanes[4] = {};
    for (std::size_t lane = 0; lane < 32; ++lane) {
      Bits* record = &round.in[(first + lane) * kRecord];
      record[kValue] = alike && data.below(64) != 0 ? common : data.source(64);
      record[kOperand] = same_operand ? operand : data.source(32);
      record[kControl] = same_operand ? control : control_of_width(data);
      record[kPredicate] = predicates == 2 ? data.below(2) : predicates;
      record[kPath] = mixture == 0 ? Bits{kFirst} : data.below(mixture);
      record[kOld] = data.source(32);
      record[kOldSecond] = data.below(2);
      lanes[record[kPath]] |= 1u << lane;
    }
    // A mask may also name lanes that have ended.
    const auto ended = static_cast<std::uint32_t>(lanes[kEnded] & data.source(32));
    for (std::size_t lane = 0; lane < 32; ++lane) {
      Bits* record = &round.in[(first + lane) * kRecord];
      record[kMembers] = lanes[record[kPath]] | ended;
    }
  }
  return round;
}

std::string kernel_of(const WarpForm& form, const Round& round) {
  const std::string letters = form.operands;
  std::string destination = letters[0] == 'p' ? "%p0" : "%w0";
  if (round.only_second) destination = "_";
  if (round.second) destination += "|%p7";
  std::string instruction = form.name + " " + destination;
  if (form.name.starts_with("shfl"))
    instruction += ", %w1, %w2, %w3, %w4";
  else if (letters.size() == 3)
    instruction += letters[1] == 'p'   ? round.negated ? ", !%p1, %w4" : ", %p1, %w4"
                   : letters[1] == 'd' ? ", %d1, %w4"
                                       : ", %w1, %w4";
  else if (letters.size() == 2)
    instruction += ", %w4";
  instruction += ";\n";

  std::string text = ".version 9.0\n.target sm_90\n.address_size 64\n"
                     ".visible .entry k(.param .u64 out, .param .u64 in) {\n"
                     ".reg .b32 %w<9>; .reg .b64 %d<4>; .reg .pred %p<9>;\n"
                     ".reg .b64 %a, %o; .reg .b32 %i, %t, %path;\n"
                     "ld.param.u64 %o, [out]; ld.param.u64 %a, [in]; mov.u32 %i, %tid.x;\n"
                     "mad.wide.u32 %o, %i, 16, %o; mad.wide.u32 %a, %i, 64, %a;\n"
                     "ld.global.b64 %d1, [%a]; ld.global.b32 %w1, [%a];\n"
                     "ld.global.b32 %w2, [%a+8]; ld.global.b32 %w3, [%a+16];\n"
                     "ld.global.b32 %t, [%a+24]; setp.ne.u32 %p1, %t, 0;\n"
                     "ld.global.b32 %path, [%a+32]; ld.global.b32 %w4, [%a+40];\n"
                     "ld.global.b32 %w0, [%a+48]; ld.global.b32 %t, [%a+48];\n"
                     "and.b32 %t, %t, 1; setp.ne.u32 %p0, %t, 0;\n"
                     "ld.global.b32 %t, [%a+56]; setp.ne.u32 %p7, %t, 0;\n"
                     "setp.eq.u32 %p2, %path, 3; @%p2 ret;\n"
                     "setp.eq.u32 %p3, %path, 0; setp.eq.u32 %p4, %path, 1;\n";
  switch (round.shape) {
  case Shape::around:
    text += "@%p3 bra DONE;\n" + instruction;
    break;
  case Shape::apart:
    text += "@%p3 bra DONE; @%p4 bra FIRST;\n" + instruction + "bra DONE;\nFIRST:\n" + instruction;
    break;
  case Shape::guarded:
    text += "@!%p3 " + instruction;
    break;
  }
  text += "DONE:\n";
  if (letters[0] == 'p') text += "selp.u32 %w0, 1, 0, %p0;\n";
  return text + "selp.u32 %t, 1, 0, %p7; st.global.v2.b32 [%o], {%w0, %t};\nret;\n}\n";
}

WarpSources sources_of(const Round& round, std::size_t first) {
  WarpSources warp;
  std::uint32_t path[4] = {};
  for (std::size_t lane = 0; lane < 32; ++lane)
    path[round.in[(first + lane) * kRecord + kPath]] |= 1u << lane;
  for (std::size_t lane = 0; lane < 32; ++lane) {
    const Bits* record = &round.in[(first + lane) * kRecord];
    warp[lane] = {record[kValue],
                  record[kOperand],
                  record[kControl],
                  (record[kPredicate] != 0) != round.negated,
                  path[record[kPath]],
                  round.shape == Shape::apart ? path[record[kPath]]
                                              : path[kFirst] | path[kSecondPath]};
  }
  return warp;
}

// The first lane that differs, told; empty when all agree.
std::string difference(const WarpForm& form, const Round& round, device::Device& device) {
  TestRun run(kernel_of(form, round));
  const auto out = run.buffer("out", std::vector<Bits>(kThreads * 2, 0));
  const auto in = run.buffer("in", round.in);
  run.launch("k", {1}, {kThreads}, 0, out, in);
  run.seen = device.execute(run.job);
  if (!run.seen.reason.empty()) return form.name + ": " + run.why();

  const auto results = run.result<std::uint32_t>(0);
  const Name name(form.name);
  bool undefined = false;
  for (std::size_t t = 0; t < kThreads; ++t) {
    const Bits* record = &round.in[t * kRecord];
    if (record[kPath] == kEnded) continue;
    const bool makes_predicate = form.operands[0] == 'p';
    const Bits old = makes_predicate ? record[kOld] & 1 : masked(record[kOld], 32);
    LaneResult expected{old, record[kOldSecond] != 0};
    if (record[kPath] != kIdle) {
      const LaneResult made =
          form.reference(name, sources_of(round, t / 32 * 32), static_cast<std::uint32_t>(t % 32));
      undefined = undefined || !made.defined;
      expected.defined = made.defined;
      if (!round.only_second) expected.value = made.value;
      if (round.second) expected.predicate = made.predicate;
    }
    const Bits got = results[t * 4];
    const bool second = results[t * 4 + 1] != 0;
    if ((expected.defined && got != expected.value) || second != expected.predicate) {
      std::stringstream text;
      text << std::hex << form.name << " (shape " << static_cast<int>(round.shape) << ") in thread "
           << std::dec << t << " gave 0x" << std::hex << got << " and " << second << ", expected 0x"
           << expected.value << " and " << expected.predicate << "; a 0x" << record[kValue]
           << " b 0x" << record[kOperand] << " c 0x" << record[kControl] << " members 0x"
           << record[kMembers] << "\n"
           << run.findings();
      return text.str();
    }
  }
  const bool told = run.found(device::FindingKind::shuffle);
  if (told != undefined || run.seen.findings.size() > (undefined ? 2 : 0))
    return form.name + (undefined ? " read an idle lane" : " did nothing wrong") +
           "; findings: " + run.findings();
  return {};
}

} // namespace

TEST_CASE("every exchange of the table has a reference") {
  std::vector<std::string> referenced;
  for (const WarpForm& form : warp_forms()) referenced.push_back(form.name);
  std::sort(referenced.begin(), referenced.end());
  CHECK(exchange_names() == referenced);
}

TEST_CASE("lanes of a warp tell each other what the references say") {
  const std::uint64_t first = seed(20260701);
  const auto device = make_device({1, true});
  std::size_t compared = 0;
  for (const WarpForm& form : warp_forms()) {
    for (std::uint64_t i = 0; i < 96 * rounds() / kOneOf; ++i) {
      LaneData data(first + i + std::hash<std::string>()(form.name));
      const std::string differs = difference(form, random_round(form, data), *device);
      REQUIRE_MESSAGE(differs.empty(), "seed " << first << ": " << differs);
      ++compared;
    }
  }
  MESSAGE(warp_forms().size() << " forms in " << compared << " launches of three warps");
}

TEST_CASE("an exchange that is taken for another one differs") {
  const auto device = make_device({1, true});
  WarpForm wrong = warp_forms()[0];
  wrong.name = "shfl.sync.down.b32"; // with the reference's data of a full warp
  LaneData data(5);
  Round round = random_round(wrong, data);
  for (std::size_t t = 0; t < kThreads; ++t) {
    Bits* record = &round.in[t * kRecord];
    record[kPath] = kFirst;
    record[kMembers] = 0xffffffff;
    record[kValue] = t;
    record[kOperand] = 1;
    record[kControl] = 31;
  }
  round.shape = Shape::around;
  CHECK(difference(wrong, round, *device).empty());
  wrong.reference = [](const Name&, const WarpSources& warp, std::uint32_t lane) {
    return LaneResult{warp[lane].value, false};
  };
  CHECK_FALSE(difference(wrong, round, *device).empty());
}

} // namespace course::emulator::differential

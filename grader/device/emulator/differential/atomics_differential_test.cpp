// Every atomic on shared, global and generic addresses against its reference: random lanes of two
// blocks meet at random words, and what they got and left must be explained by some order of turns.
#include "device/emulator/differential/atomic_reference.hpp"
#include "device/emulator/differential/lane_data.hpp"
#include "device/emulator/differential/seed.hpp"
#include "device/emulator/execute/atomics.hpp"
#include "device/emulator/test_run.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <set>

namespace course::emulator::differential {
namespace {

constexpr std::size_t kBlocks = 2, kBlock = 64, kThreads = kBlocks * kBlock;
constexpr std::size_t kWords = 40; // in each memory: a few lanes meet at most of them
constexpr std::size_t kRecord = 8; // 64-bit numbers a thread
enum Field { kPlace, kInShared, kOperand, kWith, kGuard, kOld };

enum class Where { shared, global, generic };
enum class Address { wide, narrow, symbol }; // of shared memory: 64 bits, 32 bits, a constant

struct Round {
  Where where{};
  Address address{};
  bool reduction = false; // red
  bool dropped = false;   // the old value goes to _
  bool constant = false;  // the operand is a constant
  std::string modifiers;  // order and scope
  std::vector<Bits> in, shared, global;

  bool returns() const { return !reduction && !dropped; }
  bool in_shared(std::size_t thread) const {
    return where == Where::shared ||
           (where == Where::generic && in[thread * kRecord + kInShared] != 0);
  }
};

Round random_round(const AtomicForm& form, Where where, bool reduction, LaneData& data) {
  const int bits = bits_of_type(form.type);
  Round round;
  round.where = where;
  round.reduction = reduction;
  round.address = static_cast<Address>(data.below(where == Where::shared ? 3 : 1));
  round.dropped = data.below(4) == 0;
  round.constant = !is_float_type(form.type) && data.below(4) == 0;
  static const char* orders[] = {"", ".relaxed", ".acquire", ".release", ".acq_rel"};
  static const char* scopes[] = {"", ".cta", ".gpu", ".sys", ".cluster"};
  round.modifiers = std::string(orders[data.below(5)]) + scopes[data.below(5)];
  for (std::size_t i = 0; i < kBlocks * kWords; ++i) {
    round.shared.push_back(data.source(bits));
    round.global.push_back(data.source(bits));
  }
  const Bits constant = data.below(2) ? 1 : masked(data.source(bits), std::min(bits, 31));
  const bool together = round.address == Address::symbol;
  round.in.resize(kThreads * kRecord);
  for (std::size_t t = 0; t < kThreads; ++t) {
    Bits* record = &round.in[t * kRecord];
    record[kPlace] = together ? 3 : data.below(kWords);
    record[kInShared] = data.below(2);
    record[kOperand] = round.constant ? constant : data.source(bits);
    record[kWith] = data.source(bits);
    record[kGuard] = together ? data.below(12) == 0 : data.below(4) != 0;
    record[kOld] = data.source(bits);
    const Bits block = t / kBlock;
    const Bits there = round.in_shared(t) ? round.shared[block * kWords + record[kPlace]]
                                          : round.global[record[kPlace]];
    if (!round.constant && data.below(2) && form.operation == "cas") record[kOperand] = there;
    if (!round.constant && data.below(8) == 0) record[kOperand] = there; // ends of inc and dec
  }
  return round;
}

std::string kernel_of(const AtomicForm& form, const Round& round) {
  const int bits = bits_of_type(form.type);
  const std::string size = std::to_string(bits / 8), type = ".b" + std::to_string(bits);
  const char letter = bits == 16 ? 'h' : bits == 32 ? 'w' : 'd';
  const auto reg = [&](int number) { return std::string("%") + letter + std::to_string(number); };
  std::string space = round.where == Where::shared   ? ".shared"
                      : round.where == Where::global ? ".global"
                                                     : "";
  std::string address = "[%at]";
  if (round.address == Address::narrow) address = "[%near+" + size + "]"; // is one word below
  if (round.address == Address::symbol) address = "[s+" + std::to_string(3 * bits / 8) + "]";
  std::string instruction = std::string(round.reduction ? "red" : "atom") + round.modifiers +
                            space + "." + form.full() + " ";
  if (!round.reduction) instruction += (round.dropped ? "_" : reg(0)) + ", ";
  instruction += address + ", ";
  instruction += round.constant ? std::to_string(round.in[kOperand]) : reg(1);
  if (form.operation == "cas") instruction += ", " + reg(2);

  return ".version 9.0\n.target sm_90\n.address_size 64\n"
         ".visible .entry k(.param .u64 old, .param .u64 in, .param .u64 shared,\n"
         ".param .u64 global) {\n"
         ".reg .b16 %h<4>; .reg .b32 %w<4>; .reg .b64 %d<4>; .reg .pred %g, %some, %near_by;\n"
         ".reg .b64 %a, %o, %m, %n, %at, %there; .reg .b32 %i, %b, %t, %near;\n"
         ".shared .align 16 .b8 s[" +
         std::to_string(kWords * 8) +
         "];\n"
         "ld.param.u64 %o, [old]; ld.param.u64 %a, [in]; ld.param.u64 %m, [shared];\n"
         "ld.param.u64 %n, [global]; mov.u32 %t, %tid.x; mov.u32 %b, %ctaid.x;\n"
         "mad.lo.u32 %i, %b, " +
         std::to_string(kBlock) +
         ", %t;\n"
         "mad.wide.u32 %o, %i, 8, %o; mad.wide.u32 %a, %i, 64, %a;\n"
         // The block's words come to shared memory.
         "mul.lo.u32 %b, %b, " +
         std::to_string(kWords) +
         "; add.u32 %b, %b, %t;\n"
         "mad.wide.u32 %m, %b, 8, %m; setp.lt.u32 %some, %t, " +
         std::to_string(kWords) +
         ";\n"
         "mov.u32 %near, s; mad.lo.u32 %near, %t, " +
         size +
         ", %near;\n"
         "@%some ld.global" +
         type + " " + reg(3) +
         ", [%m];\n"
         "@%some st.shared" +
         type + " [%near], " + reg(3) +
         ";\nbar.sync 0;\n"
         // Where this thread's word is, in either memory.
         "ld.global.u32 %i, [%a]; mad.wide.u32 %n, %i, 8, %n;\n"
         "mov.u32 %w3, s; mad.lo.u32 %near, %i, " +
         size + ", %w3; sub.u32 %near, %near, " + size +
         ";\n"
         "mov.u64 %there, s; " +
         (round.where == Where::generic ? "cvta.shared.u64 %there, %there; " : "") +
         "mad.wide.u32 %there, %i, " + size +
         ", %there;\n"
         "ld.global.u32 %i, [%a+8]; setp.ne.u32 %near_by, %i, 0;\n" +
         (round.where == Where::shared   ? "mov.u64 %at, %there;\n"
          : round.where == Where::global ? "mov.u64 %at, %n;\n"
                                         : "selp.b64 %at, %there, %n, %near_by;\n") +
         "ld.global" + type + " " + reg(1) + ", [%a+16]; ld.global" + type + " " + reg(2) +
         ", [%a+24];\nld.global.u32 %i, [%a+32]; setp.ne.u32 %g, %i, 0;\n"
         "ld.global" +
         type + " " + reg(0) +
         ", [%a+40];\n"
         "@%g " +
         instruction +
         ";\n"
         "st.global" +
         type + " [%o], " + reg(0) +
         ";\nbar.sync 0;\n"
         "mov.u32 %near, s; mad.lo.u32 %near, %t, " +
         size +
         ", %near;\n"
         "@%some ld.shared" +
         type + " " + reg(3) +
         ", [%near];\n"
         "@%some st.global" +
         type + " [%m], " + reg(3) + ";\nret;\n}\n";
}

// The first word that no order explains, told; empty when there is none.
std::string difference(const AtomicForm& form, const Round& round, device::Device& device) {
  TestRun run(kernel_of(form, round));
  const auto old = run.buffer("old", std::vector<Bits>(kThreads, 0));
  const auto in = run.buffer("in", round.in);
  const auto shared = run.buffer("shared", round.shared);
  const auto global = run.buffer("global", round.global);
  run.launch("k", {kBlocks}, {kBlock}, 0, old, in, shared, global);
  run.seen = device.execute(run.job);
  const std::string what = std::string(round.reduction ? "red" : "atom") + round.modifiers + "." +
                           form.full() + " (memory " +
                           std::to_string(static_cast<int>(round.where)) + ")";
  if (!run.seen.reason.empty() || !run.findings().empty())
    return what + ": " + run.why() + run.findings() + kernel_of(form, round);

  const int bits = bits_of_type(form.type);
  const auto olds = run.result<Bits>(0), left_shared = run.result<Bits>(2),
             left_global = run.result<Bits>(3);
  std::vector<std::vector<Turn>> of_shared(kBlocks * kWords), of_global(kBlocks * kWords);
  for (std::size_t t = 0; t < kThreads; ++t) {
    const Bits* record = &round.in[t * kRecord];
    const Bits got = masked(olds[t], bits);
    const bool executes = record[kGuard] != 0;
    if ((!executes || !round.returns()) && got != record[kOld])
      return what + ": thread " + std::to_string(t) + " lost what its register held";
    if (!executes) continue;
    auto& turns = round.in_shared(t) ? of_shared[t / kBlock * kWords + record[kPlace]]
                                     : of_global[record[kPlace]];
    turns.push_back({record[kOperand], record[kWith], round.returns(), got});
  }
  for (std::size_t i = 0; i < kBlocks * kWords; ++i) {
    for (const bool is_global : {false, true}) {
      const auto& turns = is_global ? of_global[i] : of_shared[i];
      const Bits before = is_global ? round.global[i] : round.shared[i];
      const Bits after = masked(is_global ? left_global[i] : left_shared[i], bits);
      if (explained(form, turns, before, after, is_global)) continue;
      std::stringstream text;
      text << std::hex << what << (is_global ? ", a global" : ", a shared") << " word 0x" << before
           << " became 0x" << after << " by";
      for (const Turn& turn : turns)
        text << " (0x" << turn.operand << " 0x" << turn.with << " -> 0x" << turn.old << ")";
      return text.str();
    }
  }
  return {};
}

} // namespace

TEST_CASE("every atomic of the table has a reference") {
  std::set<std::string> referenced;
  for (const AtomicForm& form : atomic_forms()) referenced.insert(form.full());
  const auto names = combine_names();
  CHECK(std::set<std::string>(names.begin(), names.end()) == referenced);
}

TEST_CASE("atomics leave, and give back, what some order of turns explains") {
  const std::uint64_t first = seed(20260702);
  // Unchecked: an atomic of the scope of a block is a race between blocks, and still an atomic
  // here.
  const auto device = make_device({2, false});
  std::size_t forms = 0, launches = 0;
  for (const AtomicForm& form : atomic_forms()) {
    for (const Where where : {Where::shared, Where::global, Where::generic}) {
      for (const bool reduction : {false, true}) {
        if (reduction && !form.is_reduction()) continue;
        ++forms;
        for (std::uint64_t i = 0; i < 8 * rounds() / kOneOf; ++i, ++launches) {
          LaneData data(first + i + std::hash<std::string>()(form.full()) +
                        static_cast<std::uint64_t>(where) * 2 + reduction);
          const std::string differs =
              difference(form, random_round(form, where, reduction, data), *device);
          CHECK_MESSAGE(differs.empty(), "seed " << first << ": " << differs);
        }
      }
    }
  }
  MESSAGE(forms << " forms in " << launches << " launches of two blocks");
}

TEST_CASE("turns that no order explains are told") {
  const AtomicForm add{"add", "u32"}, exchange{"exch", "b32"}, half{"add.noftz", "f16"};
  CHECK(explained(add, {{1, 0, true, 12}, {2, 0, true, 10}}, 10, 13, false));
  CHECK_FALSE(explained(add, {{1, 0, true, 10}, {2, 0, true, 10}}, 10, 13, false));
  CHECK_FALSE(explained(add, {{1, 0, false, 0}}, 10, 12, false));
  CHECK(explained(exchange, {{1, 0, true, 7}, {7, 0, true, 5}}, 5, 1, false));
  CHECK_FALSE(explained(exchange, {{1, 0, true, 7}, {7, 0, true, 5}}, 5, 7, false));
  CHECK(explained(half, {{0x3c00, 0, false, 0}}, 0x3c00, 0x4000, false));
  CHECK_FALSE(explained(half, {{0x3c00, 0, false, 0}}, 0x3c00, 0x4001, false));
}

} // namespace course::emulator::differential

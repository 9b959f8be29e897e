// Every form of the emulator's table against a reference written separately, on random lanes under
// random partial masks: through PTX, and each form's two versions (any processor, AVX2) directly.
#include "device/emulator/decode/instruction_set.hpp"
#include "device/emulator/differential/lane_data.hpp"
#include "device/emulator/differential/reference.hpp"
#include "device/emulator/differential/seed.hpp"
#include "device/emulator/state/lanes.hpp"
#include "device/emulator/state/warp.hpp"
#include "device/emulator/test_run.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <map>

namespace course::emulator::differential {
namespace {

constexpr std::size_t kThreads = 256;
constexpr std::size_t kRecord = 8; // 64-bit numbers a thread: sources, old results, carry, guard
constexpr std::size_t kOld = 4, kOldOpposite = 5, kCarry = 6, kGuard = 7;

int bits_of_letter(char letter) {
  return letter == 'p' ? 1 : letter == 'b' ? 8 : letter == 'h' ? 16 : letter == 'w' ? 32 : 64;
}

struct Subject {
  Name name;
  const Form* form;
  Reference reference;

  std::size_t sources() const { // in registers
    const std::string& letters = form->operands;
    return letters.size() - 1 -
           static_cast<std::size_t>(std::count(letters.begin(), letters.end(), 'i'));
  }
  bool subtracts() const { return name.opcode().starts_with("sub"); }
};

std::vector<Subject> subjects() {
  std::vector<Subject> all;
  for (const auto& [name, form] : forms().all()) {
    Name parsed(name);
    const Reference reference = reference_of(parsed);
    all.push_back({std::move(parsed), &form, reference});
  }
  std::sort(all.begin(), all.end(),
            [](const Subject& a, const Subject& b) { return a.name.full() < b.name.full(); });
  return all;
}

// What the lanes get, and the variant of the instruction's text.
struct Round {
  std::vector<Bits> in;
  Bits immediate = 0;
  bool negate = false;    // the predicate source is written !p
  bool with_pair = false; // the results are written p|q
};

Round random_round(const Subject& subject, LaneData& data) {
  Round round;
  round.in.resize(kThreads * kRecord);
  round.immediate = data.below(256);
  const std::string& letters = subject.form->operands;
  round.negate = subject.name.opcode() == "setp" && letters.back() == 'p' && data.below(2);
  round.with_pair = subject.form->pair && data.below(2);
  for (std::size_t t = 0; t < kThreads; ++t) {
    Bits* record = &round.in[t * kRecord];
    for (std::size_t i = 0; i < subject.sources(); ++i) {
      const char letter = letters[i + 1];
      record[i] = letter == 'p'   ? data.below(2)
                  : letter == 'b' ? data.source(16) & 255
                                  : data.source(bits_of_letter(letter));
    }
    if (subject.sources() > 1 && letters[1] == letters[2] && data.below(8) == 0)
      record[1] = record[0]; // equal sources are rare otherwise
    record[kOld] =
        letters[0] == 'p' ? data.below(2) : masked(data.source(64), bits_of_letter(letters[0]));
    record[kOldOpposite] = data.below(2);
    record[kCarry] = data.below(2);
    record[kGuard] = data.below(4) != 0;
  }
  return round;
}

Sources sources_of(const Subject& subject, const Round& round, std::size_t thread) {
  Sources sources;
  const Bits* record = &round.in[thread * kRecord];
  for (std::size_t i = 0; i < subject.sources(); ++i) sources.of[i] = record[i];
  if (round.negate) sources.of[subject.sources() - 1] ^= 1;
  sources.immediate = round.immediate;
  sources.carry = record[kCarry] != 0;
  return sources;
}

std::string numbered(char letter, std::size_t number) {
  return std::string("%") + letter + std::to_string(number);
}

// Applies the instruction, under a guard, to one record a thread.
std::string kernel_of(const Subject& subject, const Round& round) {
  std::string text = ".version 9.0\n.target sm_90\n.address_size 64\n"
                     ".visible .entry k(.param .u64 out, .param .u64 in) {\n"
                     ".reg .b16 %h<9>; .reg .b32 %w<9>; .reg .b64 %d<9>; .reg .pred %p<9>, %g;\n"
                     ".reg .b64 %a, %o; .reg .b32 %i, %c, %t;\n"
                     "ld.param.u64 %o, [out]; ld.param.u64 %a, [in]; mov.u32 %i, %tid.x;\n"
                     "mad.wide.u32 %o, %i, 16, %o; mad.wide.u32 %a, %i, 64, %a;\n"
                     "ld.global.u32 %c, [%a+48]; ld.global.u32 %t, [%a+56];\n"
                     "setp.ne.u32 %g, %t, 0;\n";
  const auto load = [&](char letter, std::size_t number, std::size_t from) {
    const std::string at = ", [%a+" + std::to_string(from * 8) + "];\n";
    if (letter == 'p')
      text += "ld.global.u32 %t" + at + "setp.ne.u32 " + numbered('p', number) + ", %t, 0;\n";
    else
      text += "ld.global.b" + std::to_string(bits_of_letter(letter)) + " " +
              numbered(letter, number) + at;
  };
  const std::string& letters = subject.form->operands;
  for (std::size_t i = 0; i < subject.sources(); ++i) load(letters[i + 1], i + 1, i);
  load(letters[0], 0, kOld);
  load('p', 7, kOldOpposite);
  if (subject.form->carries)
    text += subject.subtracts() ? "sub.cc.u32 %t, 0, %c;\n" : "add.cc.u32 %t, %c, 0xffffffff;\n";
  text += "@%g " + subject.name.full() + " " + numbered(letters[0], 0);
  if (round.with_pair) text += "|%p7";
  for (std::size_t i = 0; i < subject.sources(); ++i) {
    const bool negated = round.negate && i + 1 == subject.sources();
    text += std::string(", ") + (negated ? "!" : "") + numbered(letters[i + 1], i + 1);
  }
  if (letters.back() == 'i') text += ", " + std::to_string(round.immediate);
  text += ";\n";
  if (subject.form->carries)
    text += subject.subtracts() ? "subc.u32 %t, 0, 0; neg.s32 %t, %t;\n" : "addc.u32 %t, 0, 0;\n";
  else
    text += "selp.u32 %t, 1, 0, %p7;\n";
  text += "st.global.u32 [%o+8], %t;\n";
  if (letters[0] == 'p')
    text += "selp.u32 %w8, 1, 0, %p0; st.global.u32 [%o], %w8;\n";
  else
    text += "st.global.b" + std::to_string(bits_of_letter(letters[0])) + " [%o], " +
            numbered(letters[0], 0) + ";\n";
  return text + "ret;\n}\n";
}

bool agrees(const Part& part, const Format* format, Bits care, Bits got) {
  if (part.compare == Part::Compare::nothing) return true;
  if (part.compare == Part::Compare::bits) return (got & care) == (part.value & care);
  const Exact number = exact(got, *format);
  if (part.compare == Part::Compare::nan) return number.is_nan();
  return !number.is_nan() && part.low <= value(number) && value(number) <= part.high;
}
bool agrees(const Expected& expected, Bits got, int bits) {
  if (!expected.upper)
    return agrees(expected.part, expected.format, expected.care, masked(got, bits));
  return agrees(expected.part, expected.format, expected.care, got & 0xffff) &&
         agrees(*expected.upper, expected.format, expected.care, got >> 16 & 0xffff);
}

std::string told(const Subject& subject, const Round& round, std::size_t thread, Bits got,
                 const Expected& expected) {
  std::stringstream text;
  text << std::hex << subject.name.full() << (round.negate ? " with !c" : "") << " of";
  for (std::size_t i = 0; i < subject.sources(); ++i)
    text << " 0x" << round.in[thread * kRecord + i];
  if (subject.form->operands.back() == 'i') text << " table 0x" << round.immediate;
  if (subject.form->carries) text << " carry " << round.in[thread * kRecord + kCarry];
  text << " gave 0x" << got << ", expected ";
  if (expected.part.compare == Part::Compare::within)
    text << expected.part.low << " to " << expected.part.high;
  else if (expected.part.compare == Part::Compare::nan)
    text << "a NaN";
  else
    text << "0x" << expected.part.value;
  if (expected.upper) text << " and 0x" << expected.upper->value << " above";
  return text.str();
}

// The first lane that differs, told; empty when all agree.
std::string differs_through_ptx(const Subject& subject, const Round& round,
                                device::Device& device) {
  TestRun run(kernel_of(subject, round));
  const auto out = run.buffer("out", std::vector<Bits>(kThreads * 2, 0));
  const auto in = run.buffer("in", round.in);
  run.launch("k", {1}, {kThreads}, 0, out, in);
  run.seen = device.execute(run.job);
  if (!run.seen.reason.empty()) return subject.name.full() + ": " + run.why();
  const auto results = run.result<Bits>(0);
  const int bits = bits_of_letter(subject.form->operands[0]);
  for (std::size_t t = 0; t < kThreads; ++t) {
    const Bits* record = &round.in[t * kRecord];
    const Bits got = results[t * 2], second = results[t * 2 + 1];
    Expected expected = subject.reference(subject.name, sources_of(subject, round, t));
    if (!record[kGuard]) {
      expected = Expected::bits(record[kOld]);
      expected.carry = record[kCarry] != 0;
    }
    if (!agrees(expected, got, bits)) return told(subject, round, t, got, expected);
    if (subject.form->carries && second != expected.carry)
      return told(subject, round, t, got, expected) + ", with carry " + std::to_string(second);
    const bool opposite =
        round.with_pair && record[kGuard] ? expected.opposite : record[kOldOpposite] != 0;
    if (!subject.form->carries && second != opposite)
      return told(subject, round, t, got, expected) + ", with q " + std::to_string(second);
  }
  return {};
}

// A frame of registers as the interpreter has them: slot i begins at i * 256 bytes.
struct alignas(64) Frame {
  std::byte bytes[8 * 256] = {};

  void set(std::size_t slot, char letter, std::size_t lane, Bits value) {
    std::byte* at = bytes + slot * 256;
    if (letter == 'p') {
      u32 mask;
      std::memcpy(&mask, at, 4);
      mask = (mask & ~(1u << lane)) | static_cast<u32>(value & 1) << lane;
      std::memcpy(at, &mask, 4);
      return;
    }
    const auto size = static_cast<std::size_t>(bits_of_letter(letter)) / 8;
    std::memcpy(at + lane * size, &value, size);
  }
  Bits get(std::size_t slot, char letter, std::size_t lane) const {
    Bits value = 0;
    if (letter == 'p') {
      std::memcpy(&value, bytes + slot * 256, 4);
      return value >> lane & 1;
    }
    const auto size = static_cast<std::size_t>(bits_of_letter(letter)) / 8;
    std::memcpy(&value, bytes + slot * 256 + lane * size, size);
    return value;
  }
};

std::string differs_directly(const Subject& subject, const Round& round, Execute execute) {
  const std::string& letters = subject.form->operands;
  for (std::size_t first = 0; first < kThreads; first += 32) {
    Frame frame;
    Operation op;
    // The last one is the carry flag, or the second result of setp.
    for (std::uint32_t i = 0; i < op.slot.size(); ++i) op.slot[i] = i * 256;
    op.immediate = static_cast<std::uint32_t>(round.immediate);
    u32 mask = 0;
    for (std::size_t lane = 0; lane < 32; ++lane) {
      const Bits* record = &round.in[(first + lane) * kRecord];
      frame.set(0, letters[0], lane, record[kOld]);
      const Sources sources = sources_of(subject, round, first + lane);
      for (std::size_t i = 0; i < subject.sources(); ++i)
        frame.set(i + 1, letters[i + 1], lane, sources.of[i]);
      if (subject.form->carries) frame.set(5, 'p', lane, record[kCarry]);
      mask |= static_cast<u32>(record[kGuard]) << lane;
    }
    if (!mask) continue;
    Warp warp;
    warp.frame = frame.bytes;
    execute(warp, op, mask);
    for (std::size_t lane = 0; lane < 32; ++lane) {
      const std::size_t thread = first + lane;
      const Bits got = frame.get(0, letters[0], lane);
      const Expected expected =
          mask >> lane & 1 ? subject.reference(subject.name, sources_of(subject, round, thread))
                           : Expected::bits(round.in[thread * kRecord + kOld]);
      if (!agrees(expected, got, bits_of_letter(letters[0])))
        return told(subject, round, thread, got, expected);
    }
  }
  return {};
}

// Rounds of every form that has a reference, or of one in kOneOf.
template <class Compare>
void for_each_round(std::uint64_t first, const Compare& compare) {
  std::size_t number = 0;
  for (const Subject& subject : subjects()) {
    if (!subject.reference || number++ % kOneOf) continue;
    for (std::uint64_t i = 0; i < rounds(); ++i) {
      LaneData data(first + i + std::hash<std::string>()(subject.name.full()));
      compare(subject, random_round(subject, data));
    }
  }
}

} // namespace

TEST_CASE("every form of the table has a reference") {
  const auto all = subjects();
  CHECK(all.size() > 2000);
  for (const Subject& subject : all) {
    const bool has_reference = subject.reference != nullptr;
    CHECK_MESSAGE(has_reference, subject.name.full());
  }
  const bool made_up = reference_of(Name("frobnicate.u32")) != nullptr;
  CHECK_FALSE(made_up);
}

TEST_CASE("every form agrees with its reference, lane by lane") {
  const std::uint64_t first = seed(20260119);
  const auto device = make_device({1, true});
  std::size_t compared = 0;
  for_each_round(first, [&](const Subject& subject, const Round& round) {
    std::string difference;
    // What follows a load is no instruction that PTX could write.
    if (subject.name.opcode() != "extend")
      difference = differs_through_ptx(subject, round, *device);
    CHECK_MESSAGE(difference.empty(), difference);
    difference = differs_directly(subject, round, subject.form->versions.any);
    CHECK_MESSAGE(difference.empty(), difference);
    ++compared;
  });
  CHECK(compared > 2000 / kOneOf);
  MESSAGE(compared << " forms compared, seed " << first);
}

TEST_CASE("so does every form in its version for AVX2" * doctest::test_suite("needs avx2")) {
  if (!(__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") &&
        __builtin_cpu_supports("bmi2") && __builtin_cpu_supports("lzcnt"))) {
    MESSAGE("skipped: this processor has no AVX2");
    return;
  }
  for_each_round(seed(20260119), [](const Subject& subject, const Round& round) {
    const auto difference = differs_directly(subject, round, subject.form->versions.avx2);
    CHECK_MESSAGE(difference.empty(), difference);
  });
}

} // namespace course::emulator::differential

// Every load and store, in every space it may name, against bytes that are moved one by one: random
// aligned places, displacements, guards, hints and widths of registers. Generic accesses go to
// several memories in one instruction. Long, because the kernels of all spaces are text.
#include "device/emulator/differential/lane_data.hpp"
#include "device/emulator/differential/memory_form.hpp"
#include "device/emulator/differential/seed.hpp"
#include "device/emulator/test_run.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>

namespace course::emulator::differential {
namespace {

using Byte = unsigned char;

constexpr std::size_t kThreads = 64;
constexpr std::size_t kArea = 128; // bytes of a thread in each memory
constexpr std::size_t kAreas = kThreads * kArea;
constexpr std::size_t kRecord = 16;                             // 64-bit numbers a thread
enum Field { kOffset, kMemory, kGuard, kOld = 4, kValues = 6 }; // the last with seven more

enum Memory : Bits { kGlobal, kShared, kLocal, kConstant };
constexpr const char* kMemories[] = {"global", "shared", "local", "const"};

struct Round {
  char letter = 'w';   // of the registers of values
  bool narrow = false; // a 32-bit address
  bool symbol = false; // the address is a name and a constant, the same for all threads
  std::int64_t displacement = 0;
  std::string order, hint;
  std::vector<Bits> in;
  std::vector<Byte> bytes;     // what global, shared and local memory hold first
  std::vector<Byte> constants; // of the area that all threads read

  Bits field(std::size_t thread, std::size_t index) const { return in[thread * kRecord + index]; }
};

bool is_store(const MemoryForm& form) {
  return form.opcode == "st";
}
// Of a form that names its memory.
Memory memory_of(const MemoryForm& form) {
  if (form.space.starts_with(".global")) return kGlobal;
  if (form.space == ".shared") return kShared;
  return form.space == ".local" ? kLocal : kConstant;
}

Round random_round(const MemoryForm& form, LaneData& data) {
  Round round;
  const std::string letters = form.registers();
  round.letter = letters[data.below(letters.size())];
  const bool near = form.space == ".shared" || form.space == ".local" || form.space == ".const";
  round.narrow = near && data.below(3) == 0;
  round.symbol = form.space == ".param" || (near && data.below(3) == 0);
  if (!round.symbol) round.displacement = static_cast<std::int64_t>(data.below(64)) - 32;
  static const char* load_orders[] = {".weak", ".volatile", ".relaxed.gpu", ".acquire.sys"};
  static const char* store_orders[] = {".weak", ".volatile", ".relaxed.cta", ".release.gpu"};
  static const char* load_hints[] = {".ca", ".cg", ".cs", ".lu", ".L1::evict_first", ".L2::128B"};
  static const char* store_hints[] = {".wb", ".cg", ".cs", ".wt", ".L1::no_allocate"};
  const bool ordered = form.space.find_first_of("np") == std::string::npos && form.opcode != "ldu";
  if (ordered && data.below(3) == 0)
    round.order = (is_store(form) ? store_orders : load_orders)[data.below(4)];
  else if (form.space.empty() || form.space.starts_with(".global"))
    if (form.opcode != "ldu" && data.below(2))
      round.hint = is_store(form) ? store_hints[data.below(5)] : load_hints[data.below(6)];

  round.in.resize(kThreads * kRecord);
  const Bits places = kArea / form.width(), same = data.below(places) * form.width();
  for (std::size_t t = 0; t < kThreads; ++t) {
    Bits* record = &round.in[t * kRecord];
    record[kOffset] = round.symbol ? same : data.below(places) * form.width();
    record[kMemory] = form.space.empty() ? data.below(is_store(form) ? 3 : 4) : memory_of(form);
    if (form.opcode == "ldu") record[kMemory] = kGlobal;
    record[kGuard] = form.space == ".param" || data.below(4) != 0;
    record[kOld] = data.source(64);
    for (std::size_t i = 0; i < 8; ++i) record[kValues + i] = data.source(64);
  }
  round.bytes.resize(kAreas);
  round.constants.resize(kArea);
  for (Byte& byte : round.bytes) byte = static_cast<Byte>(data.source(16));
  for (Byte& byte : round.constants) byte = static_cast<Byte>(data.source(16));
  return round;
}

std::string number(std::int64_t value) {
  return std::to_string(value);
}
std::string numbered(char letter, std::size_t i) {
  return std::string("%") + letter + std::to_string(i);
}
std::string bits_of(char letter) {
  return ".b" + std::to_string(bytes_of_register(letter) * 8);
}
std::string operand_list(const MemoryForm& form, char letter) {
  if (form.count == 1) return numbered(letter, 0);
  std::string list;
  for (std::size_t i = 0; i < form.count; ++i) list += (i ? ", " : "{") + numbered(letter, i);
  return list + "}";
}

// Between the registers of values and 64-bit numbers at [at], [at+8] …
std::string fill_registers(const MemoryForm& form, char letter, const std::string& at,
                           std::size_t step) {
  if (letter == 'q')
    return "ld.global.v2.b64 {%d0, %d1}, [" + at + "]; mov.b128 %q0, {%d0, %d1};\n";
  std::string text;
  for (std::size_t i = 0; i < form.count; ++i)
    text += "ld.global" + bits_of(letter) + " " + numbered(letter, i) + ", [" + at + "+" +
            number(static_cast<std::int64_t>(i * step)) + "];\n";
  return text;
}
std::string empty_registers(const MemoryForm& form, char letter, const std::string& space,
                            const std::string& at) {
  if (letter == 'q')
    return "mov.b128 {%d0, %d1}, %q0; st" + space + ".v2.b64 [" + at + "], {%d0, %d1};\n";
  std::string text;
  for (std::size_t i = 0; i < form.count; ++i)
    text += "st" + space + bits_of(letter) + " [" + at + "+" +
            number(static_cast<std::int64_t>(8 * i)) + "], " + numbered(letter, i) + ";\n";
  return text;
}

constexpr const char* kHead = ".version 9.0\n.target sm_90\n.address_size 64\n";
constexpr const char* kRegisters =
    ".reg .b16 %h<8>; .reg .b32 %w<8>; .reg .b64 %d<8>; .reg .b128 %q<2>;\n";

// out: 64 bytes a thread; area: kArea bytes a thread, of which each memory gets a copy.
std::string kernel_of(const MemoryForm& form, const Round& round) {
  const std::string area = number(kArea), all = number(kAreas);
  std::string text = std::string(kHead) + ".const .align 32 .b8 constants[" + area + "] = {";
  for (std::size_t i = 0; i < kArea; ++i) text += (i ? "," : "") + number(round.constants[i]);
  text += "};\n.visible .entry k(.param .u64 out, .param .u64 in, .param .u64 area) {\n";
  text += kRegisters;
  text += ".reg .pred %g, %in_shared, %in_local, %in_constant; .reg .b64 %o, %r, %a, %c, %x, %at;\n"
          ".reg .b32 %t, %near, %which, %y;\n"
          ".shared .align 32 .b8 shared[" +
          all + "]; .local .align 32 .b8 mine[" + area +
          "];\n"
          "ld.param.u64 %o, [out]; ld.param.u64 %r, [in]; ld.param.u64 %a, [area];\n"
          "mov.u32 %t, %tid.x; mad.wide.u32 %o, %t, 64, %o; mad.wide.u32 %r, %t, 128, %r;\n"
          "mad.wide.u32 %a, %t, " +
          area +
          ", %a;\n"
          "mov.u32 %near, shared; mad.lo.u32 %near, %t, " +
          area + ", %near;\n";
  for (std::size_t i = 0; i < kArea; i += 8)
    text += "ld.global.b64 %x, [%a+" + number(i) + "]; st.shared.b64 [%near+" + number(i) +
            "], %x; st.local.b64 [mine+" + number(i) + "], %x;\n";
  text += "bar.sync 0;\nld.global.u32 %which, [%r+" + number(8 * kMemory) + "];\n";

  // %at: the thread's place, less the displacement.
  const bool generic = form.space.empty();
  const auto address = [&](const char* name, const char* space) {
    return std::string("mov.u64 %x, ") + name + "; " +
           (generic ? std::string("cvta.") + space + ".u64 %x, %x;\n" : "\n");
  };
  text += "mov.u64 %at, %a;\n";
  text += "setp.eq.u32 %in_shared, %which, 1; setp.eq.u32 %in_local, %which, 2;\n"
          "setp.eq.u32 %in_constant, %which, 3;\n";
  text += address("shared", "shared") + "mad.wide.u32 %x, %t, " + area + ", %x;\n" +
          "selp.b64 %at, %x, %at, %in_shared;\n";
  text += address("mine", "local") + "selp.b64 %at, %x, %at, %in_local;\n";
  text += address("constants", "const") + "selp.b64 %at, %x, %at, %in_constant;\n";
  text += "ld.global.u64 %x, [%r]; add.u64 %at, %at, %x; sub.s64 %at, %at, " +
          number(round.displacement) + ";\ncvt.u32.u64 %y, %at;\n";
  text += "ld.global.u32 %w7, [%r+" + number(8 * kGuard) + "]; setp.ne.u32 %g, %w7, 0;\n";

  std::string where = "[%at+" + number(round.displacement) + "]";
  if (round.narrow) where = "[%y+" + number(round.displacement) + "]";
  // A name is the same for all threads: a thread's area in shared memory it cannot be.
  if (round.symbol && form.space == ".local")
    where = "[mine+" + number(static_cast<std::int64_t>(round.field(0, kOffset))) + "]";
  if (round.symbol && form.space == ".const")
    where = "[constants+" + number(static_cast<std::int64_t>(round.field(0, kOffset))) + "]";
  const std::string instruction = "@%g " + form.opcode + round.order + form.space + round.hint +
                                  form.vector() + "." + form.type + " ";
  const std::string values = operand_list(form, round.letter);
  if (is_store(form)) {
    text += fill_registers(form, round.letter, "%r+" + number(8 * kValues), 8);
    text += instruction + where + ", " + values + ";\n";
    // Everything comes back to the thread's area, from the memory that was stored to.
    for (std::size_t i = 0; i < kArea; i += 8)
      text += "@%in_shared ld.shared.b64 %x, [%near+" + number(i) + "];\n@%in_local ld.local.b64 " +
              "%x, [mine+" + number(i) + "];\n@%in_shared st.global.b64 [%a+" + number(i) +
              "], %x;\n@%in_local st.global.b64 [%a+" + number(i) + "], %x;\n";
  } else {
    text += fill_registers(form, round.letter, "%r+" + number(8 * kOld), 0);
    text += instruction + values + ", " + where + ";\n";
    text += empty_registers(form, round.letter, ".global", "%o");
  }
  return text + "ret;\n}\n";
}

// Parameters of functions: `f` loads, or the kernel stores, with the form.
std::string calling_kernel_of(const MemoryForm& form, const Round& round) {
  const std::string area = number(kArea);
  const std::string offset = number(static_cast<std::int64_t>(round.field(0, kOffset)));
  const std::string instruction = form.opcode + form.space + form.vector() + "." + form.type + " ";
  const std::string values = operand_list(form, round.letter);
  std::string text = std::string(kHead) + ".func (.param .align 32 .b8 made[" + area +
                     "]) f(.param .align 32 .b8 given[" + area + "]) {\n" + kRegisters;
  for (std::size_t i = 0; i < kArea; i += 8)
    text += "ld.param.b64 %d7, [given+" + number(i) + "];\n" +
            (is_store(form) ? "" : "mov.b64 %d7, 0;\n") + "st.param.b64 [made+" + number(i) +
            "], %d7;\n";
  if (!is_store(form)) {
    text += instruction + values + ", [given+" + offset + "];\n";
    text += empty_registers(form, round.letter, ".param", "made");
  }
  text += "ret;\n}\n.visible .entry k(.param .u64 out, .param .u64 in, .param .u64 area) {\n";
  text += kRegisters;
  text += ".reg .b64 %o, %r, %a; .reg .b32 %t;\n"
          "ld.param.u64 %o, [out]; ld.param.u64 %r, [in]; ld.param.u64 %a, [area];\n"
          "mov.u32 %t, %tid.x; mad.wide.u32 %o, %t, 64, %o; mad.wide.u32 %r, %t, 128, %r;\n"
          "mad.wide.u32 %a, %t, " +
          area + ", %a;\n{\n.param .align 32 .b8 p[" + area +
          "];\n"
          ".param .align 32 .b8 q[" +
          area + "];\n";
  for (std::size_t i = 0; i < kArea; i += 8)
    text += "ld.global.b64 %d7, [%a+" + number(i) + "]; st.param.b64 [p+" + number(i) + "], %d7;\n";
  if (is_store(form)) {
    text += fill_registers(form, round.letter, "%r+" + number(8 * kValues), 8);
    text += instruction + "[p+" + offset + "], " + values + ";\n";
  }
  text += "call (q), f, (p);\n";
  const char* to = is_store(form) ? "%a" : "%o";
  for (std::size_t i = 0; i < (is_store(form) ? kArea : 64); i += 8)
    text += "ld.param.b64 %d7, [q+" + number(i) + "]; st.global.b64 [" + to + "+" + number(i) +
            "], %d7;\n";
  return text + "}\nret;\n}\n";
}

// A kernel's parameter, by its name or through a register.
std::string parameter_kernel_of(const MemoryForm& form, const Round& round, bool by_name) {
  std::string text = std::string(kHead) + ".visible .entry k(.param .align 32 .b8 given[" +
                     number(kArea) + "], .param .u64 out, .param .u64 in) {\n" + kRegisters;
  text += ".reg .b64 %o, %r, %at; .reg .b32 %t;\n"
          "ld.param.u64 %o, [out]; ld.param.u64 %r, [in]; mov.u32 %t, %tid.x;\n"
          "mad.wide.u32 %o, %t, 64, %o; mad.wide.u32 %r, %t, 128, %r;\n"
          "mov.b64 %at, given; ld.global.b64 %d7, [%r]; add.u64 %at, %at, %d7;\n";
  const std::string offset = number(static_cast<std::int64_t>(round.field(0, kOffset)));
  text += form.full() + " " + operand_list(form, round.letter) + ", " +
          (by_name ? "[given+" + offset + "]" : "[%at]") + ";\n";
  return text + empty_registers(form, round.letter, ".global", "%o") + "ret;\n}\n";
}

std::string told(const MemoryForm& form, const Round& round, std::size_t thread, std::size_t part,
                 Bits got, Bits expected) {
  std::stringstream text;
  text << form.full() << round.order << round.hint << " with registers " << round.letter
       << " in thread " << thread << ", " << kMemories[round.field(thread, kMemory)] << " offset "
       << round.field(thread, kOffset) << ", part " << part << ": 0x" << std::hex << got
       << ", expected 0x" << expected;
  return text.str();
}

// What thread `t` must find in its output after a load from `bytes`.
std::string differs_in_output(const MemoryForm& form, const Round& round, std::size_t t,
                              const std::vector<Bits>& out, const Byte* bytes) {
  const std::size_t bits = bytes_of_register(round.letter) * 8;
  const std::size_t parts = round.letter == 'q' ? 2 : form.count;
  for (std::size_t i = 0; i < parts; ++i) {
    const std::size_t size = round.letter == 'q' ? 8 : form.element();
    Bits expected = round.letter == 'q' ? round.field(t, kOld + i)
                                        : masked(round.field(t, kOld), static_cast<int>(bits));
    if (round.field(t, kGuard))
      expected = loaded(form, bytes + round.field(t, kOffset) + i * size, round.letter);
    if (out[t * 8 + i] != expected) return told(form, round, t, i, out[t * 8 + i], expected);
  }
  return {};
}
std::string differs_in_area(const MemoryForm& form, const Round& round, std::size_t t,
                            const std::vector<Byte>& area) {
  std::array<Byte, kArea> expected;
  std::copy_n(round.bytes.begin() + static_cast<std::ptrdiff_t>(t * kArea), kArea,
              expected.begin());
  if (round.field(t, kGuard))
    for (std::size_t i = 0; i < form.width(); ++i) {
      const std::size_t each = std::min<std::size_t>(form.element(), 8);
      expected[round.field(t, kOffset) + i] =
          static_cast<Byte>(round.field(t, kValues + i / each) >> 8 * (i % each));
    }
  for (std::size_t i = 0; i < kArea; ++i)
    if (area[t * kArea + i] != expected[i])
      return told(form, round, t, i, area[t * kArea + i], expected[i]);
  return {};
}

std::string difference(const MemoryForm& form, const Round& round, const std::string& ptx,
                       device::Device& device) {
  TestRun run(ptx);
  const auto out = run.buffer("out", std::vector<Bits>(kThreads * 8, 0));
  const auto in = run.buffer("in", round.in);
  const auto area = run.buffer("area", round.bytes);
  if (ptx.find("given[" + number(kArea) + "], .param") != std::string::npos) {
    std::array<Byte, kArea> given;
    std::copy_n(round.bytes.begin(), kArea, given.begin());
    run.launch("k", {1}, {kThreads}, 0, given, out, in);
  } else {
    run.launch("k", {1}, {kThreads}, 0, out, in, area);
  }
  run.seen = device.execute(run.job);
  if (!run.seen.reason.empty() || !run.findings().empty())
    return form.full() + round.order + round.hint + ": " + run.why() + run.findings();

  const bool is_entry_parameter = ptx.find(".entry k(.param .align") != std::string::npos;
  for (std::size_t t = 0; t < kThreads; ++t) {
    const Byte* bytes = round.field(t, kMemory) == kConstant && form.space != ".param"
                            ? round.constants.data()
                            : &round.bytes[is_entry_parameter ? 0 : t * kArea];
    const std::string differs = is_store(form)
                                    ? differs_in_area(form, round, t, run.result<Byte>(2))
                                    : differs_in_output(form, round, t, run.result<Bits>(0), bytes);
    if (!differs.empty()) return differs;
  }
  return {};
}

std::vector<std::string> kernels_of(const MemoryForm& form, const Round& round) {
  if (form.space != ".param") return {kernel_of(form, round)};
  if (is_store(form)) return {calling_kernel_of(form, round)};
  return {calling_kernel_of(form, round), parameter_kernel_of(form, round, true),
          parameter_kernel_of(form, round, false)};
}

} // namespace

TEST_CASE("loads and stores move the bytes that they name, and extend them by their type") {
  const std::uint64_t first = seed(20260703);
  const auto device = make_device({1, true});
  std::size_t launches = 0, number_of_form = 0;
  for (const MemoryForm& form : memory_forms()) {
    if (number_of_form++ % kOneOf) continue;
    for (std::uint64_t i = 0; i < 4 * rounds(); ++i) {
      LaneData data(first + i + std::hash<std::string>()(form.full()));
      const Round round = random_round(form, data);
      for (const std::string& ptx : kernels_of(form, round)) {
        const std::string differs = difference(form, round, ptx, *device);
        CHECK_MESSAGE(differs.empty(), "seed " << first << ": " << differs);
        ++launches;
      }
    }
  }
  MESSAGE(memory_forms().size() << " forms in " << launches << " launches of two warps");
}

// A generic address is in one memory, and comes back from there.
TEST_CASE("addresses know their memory, and survive the way there and back") {
  const std::vector<std::string> spaces = {"global", "shared", "shared::cta", "local", "const"};
  std::string text = std::string(kHead) +
                     ".const .align 8 .b8 constants[64] = {1};\n"
                     ".visible .entry k(.param .u64 out, .param .u64 in) {\n"
                     ".reg .b64 %o, %at, %x, %y; .reg .b32 %t, %v; .reg .pred %p;\n"
                     ".shared .align 8 .b8 shared[64]; .local .align 8 .b8 mine[64];\n"
                     "ld.param.u64 %o, [out]; mov.u32 %t, %tid.x; mad.wide.u32 %at, %t, 80, %o;\n"
                     "ld.param.u64 %x, [in];\n";
  const char* names[] = {"", "shared", "mine", "constants"};
  for (std::size_t memory = 0; memory < 4; ++memory) {
    const std::string space = kMemories[memory];
    text += "{\n.reg .pred %here; and.b32 %v, %t, 3; setp.eq.u32 %here, %v, " +
            number(static_cast<std::int64_t>(memory)) + ";\n";
    if (memory != kGlobal) text += std::string("mov.u64 %x, ") + names[memory] + ";\n";
    text += "cvta." + space + ".u64 %x, %x; @%here mov.u64 %y, %x;\n}\n";
  }
  text += "and.b32 %v, %t, 31; mad.wide.u32 %y, %v, 1, %y;\n";
  for (std::size_t i = 0; i < spaces.size(); ++i) {
    const std::string to = number(static_cast<std::int64_t>(16 * i));
    text += "isspacep." + spaces[i] +
            " %p, %y; selp.u32 %v, 1, 0, %p;\n"
            "cvta.to." +
            spaces[i] + ".u64 %x, %y; cvta." + spaces[i] +
            ".u64 %x, %x;\n"
            "sub.u64 %x, %x, %y; st.global.u32 [%at+" +
            to +
            "], %v;\n"
            "st.global.u64 [%at+" +
            to + "+8], %x;\n";
  }
  TestRun run(text + "ret;\n}\n");
  const auto out = run.buffer("out", std::vector<Bits>(kThreads * 10, 77));
  const auto in = run.buffer("in", std::vector<Bits>(8, 0));
  run.launch("k", {1}, {kThreads}, 0, out, in).run();
  REQUIRE(run.why() + run.findings() == "");
  for (std::size_t t = 0; t < kThreads; ++t)
    for (std::size_t i = 0; i < spaces.size(); ++i) {
      const bool inside = spaces[i].starts_with(kMemories[t % 4]);
      CHECK(masked(run.result<Bits>(0)[t * 10 + 2 * i], 32) == (inside ? 1 : 0));
      if (inside) CHECK(run.result<Bits>(0)[t * 10 + 2 * i + 1] == 0);
    }
}

TEST_CASE("a load of another width, sign or place differs") {
  const auto device = make_device({1, true});
  const MemoryForm right{"ld", ".shared", 1, "s16"};
  LaneData data(11);
  Round round = random_round(right, data);
  round.letter = 'w';
  const std::string ptx = kernel_of(right, round);
  CHECK(difference(right, round, ptx, *device).empty());
  CHECK_FALSE(difference({"ld", ".shared", 1, "u16"}, round, ptx, *device).empty());
  CHECK_FALSE(difference({"ld", ".shared", 1, "s8"}, round, ptx, *device).empty());
  round.in[kOffset] = (round.in[kOffset] + 2) % kArea;
  round.in[kGuard] = 1;
  CHECK_FALSE(difference({"ld", ".shared", 1, "u8"}, round, ptx, *device).empty());
}

} // namespace course::emulator::differential

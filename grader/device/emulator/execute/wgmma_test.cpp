// wgmma in its types, shapes and layouts, against plain C++ on small integers, whose sums are
// exact. Operands are put where the note of what an H200 does has them, by formulas of this file's
// own.
#include "device/emulator/test_run.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace course::emulator {
namespace {

using Word = std::uint32_t;
constexpr int kThreads = 128, kRows = 64;
constexpr std::size_t kImage = 40960, kOfB = 12288; // bytes of shared memory; where B begins

struct Type {
  const char* name; // of A and B
  int bytes;
  Word (*bits)(int); // of a small integer
};
Word as_f32(int value) {
  return std::bit_cast<Word>(static_cast<float>(value));
}
// Of f16, e4m3 and e5m2: sign, exponent, the first bits of the mantissa.
Word as_small_float(int value, unsigned mantissa, int bias, unsigned width) {
  if (value == 0) return 0;
  const unsigned magnitude = static_cast<unsigned>(value < 0 ? -value : value);
  const int exponent = static_cast<int>(std::bit_width(magnitude)) - 1;
  const Word fraction = (magnitude << mantissa >> exponent) & ((1u << mantissa) - 1);
  return (value < 0 ? 1u << (width - 1) : 0) | static_cast<Word>(exponent + bias) << mantissa |
         fraction;
}
constexpr Type kBf16{"bf16", 2, [](int v) { return as_f32(v) >> 16; }};
constexpr Type kF16{"f16", 2, [](int v) { return as_small_float(v, 10, 15, 16); }};
constexpr Type kTf32{"tf32", 4, [](int v) { return as_f32(v); }};
constexpr Type kE4m3{"e4m3", 1, [](int v) { return as_small_float(v, 3, 7, 8); }};
constexpr Type kE5m2{"e5m2", 1, [](int v) { return as_small_float(v, 2, 15, 8); }};
constexpr Type kS8{"s8", 1, [](int v) { return static_cast<Word>(v) & 0xff; }};
constexpr Type kU8{"u8", 1, [](int v) { return static_cast<Word>(v); }};

// How one operand lies. `swizzle`: as in the descriptor, 0 none, 1 128B, 2 64B, 3 32B.
struct Lies {
  int swizzle = 1;
  bool mn = false;
  unsigned leading = 0, stride = 0, base = 0, start = 0;

  unsigned span() const { return swizzle == 0 ? 16 : 16u << (4 - swizzle); }
  std::uint64_t descriptor() const {
    return start >> 4 | std::uint64_t{leading >> 4} << 16 | std::uint64_t{stride >> 4} << 32 |
           std::uint64_t{base} << 49 | static_cast<std::uint64_t>(swizzle) << 62;
  }
  // Of the element in line `r` of M or N, `k` along.
  unsigned at(unsigned r, unsigned k, unsigned bytes) const {
    const unsigned s = span(), t = 16 / bytes;
    unsigned lin = 0;
    if (!mn && swizzle == 0)
      lin = r / 8 * stride + k / t * leading + r % 8 * 16 + k % t * bytes;
    else if (!mn)
      lin = r / 8 * stride + r % 8 * s + k * bytes;
    else if (swizzle == 0)
      lin = r / 8 * stride + k / 8 * leading + k % 8 * 16 + r % 8 * 2;
    else
      lin = r / (s / 2) * leading + k / 8 * stride + k % 8 * s + r % (s / 2) * 2;
    const unsigned address = start + lin, mask = swizzle == 0 ? 0 : (8u >> (swizzle - 1)) - 1;
    return address ^ ((((address >> 7) - base) & mask) << 4);
  }
};

struct Form {
  Type a = kBf16, b = kBf16;
  const char* d = "f32";
  int columns = 64;
  bool a_in_registers = false;
  Lies lies_a, lies_b;
  bool adds = true;
  int sign_a = 1, sign_b = 1;
  bool satfinite = false;
  int first_d = 3; // what every element of D is before
  int arrays = 0;  // small ones before the tile, each with a gap behind it

  int depth() const { return 32 / a.bytes; }
  bool integers() const { return std::string(d) == "s32"; }
  int registers() const { return columns / (std::string(d) == "f16" ? 4 : 2); }
};

Lies by_k(int swizzle, unsigned start, unsigned lines) {
  Lies made;
  made.swizzle = swizzle;
  made.start = start;
  made.stride = swizzle ? 8 * made.span() : 128;
  made.leading = swizzle ? 16 : lines * 16;
  return made;
}
Lies by_mn(int swizzle, unsigned start, unsigned lines) {
  Lies made;
  made.swizzle = swizzle;
  made.mn = true;
  made.start = start;
  made.stride = swizzle ? 8 * made.span() : 128;
  made.leading = swizzle ? 16 * made.span() : lines / 8 * 128;
  return made;
}

std::string registers(const char* name, int count) {
  std::string text = "{";
  for (int i = 0; i < count; ++i) text += (i ? ", " : "") + std::string(name) + std::to_string(i);
  return text + "}";
}

// A kernel that copies an image of shared memory from `in`, behind it four registers of each
// thread, multiplies once, and stores its registers.
std::string ptx_of(const Form& form) {
  const std::string d = std::string(form.d) == "f32" ? "f32" : "b32";
  std::string small;
  for (int i = 0; i < form.arrays; ++i)
    small += ".shared .align 8 .b8 small" + std::to_string(i) + "[8];\n";
  std::string text = ".version 9.0\n.target sm_90a\n.address_size 64\n"
                     ".visible .entry product(.param .u64 out, .param .u64 in)\n{\n"
                     ".reg .pred %p, %q;\n.reg .b32 %r<8>, %a<4>;\n.reg .b64 %x<8>;\n.reg ." +
                     d + " %d<" + std::to_string(form.registers()) + ">;\n" + small +
                     ".shared .align 1024 .b8 tile[" + std::to_string(kImage) +
                     "];\n"
                     "ld.param.u64 %x0, [out];\nld.param.u64 %x1, [in];\nmov.u32 %r0, %tid.x;\n"
                     "mov.u32 %r2, tile;\nshl.b32 %r1, %r0, 2;\nadd.u32 %r2, %r2, %r1;\n"
                     "cvt.u64.u32 %x2, %r1;\nadd.u64 %x3, %x1, %x2;\nmov.u32 %r3, 0;\n"
                     "again:\nld.global.b32 %r4, [%x3];\nst.shared.b32 [%r2], %r4;\n"
                     "add.u64 %x3, %x3, 512;\nadd.u32 %r2, %r2, 512;\nadd.u32 %r3, %r3, 512;\n"
                     "setp.lt.u32 %p, %r3, " +
                     std::to_string(kImage) +
                     ";\n@%p bra again;\nfence.proxy.async.shared::cta;\nbar.sync 0;\n";
  for (int i = 0; i < 4; ++i)
    text += "ld.global.b32 %a" + std::to_string(i) + ", [%x3];\nadd.u64 %x3, %x3, 512;\n";
  const bool halves = std::string(form.d) == "f16";
  const Word before = form.integers() ? static_cast<Word>(form.first_d)
                      : halves        ? kF16.bits(form.first_d) * 0x10001
                                      : as_f32(form.first_d);
  char number[20];
  std::snprintf(number, sizeof number, "%s%08X", d == "f32" ? "0f" : "0x", before);
  for (int i = 0; i < form.registers(); ++i)
    text += "mov." + d + " %d" + std::to_string(i) + ", " + number + ";\n";
  text += "mov.u32 %r6, tile;\nand.b32 %r6, %r6, 0x3ffff;\nshr.u32 %r6, %r6, 4;\n"
          "cvt.u64.u32 %x7, %r6;\n";
  text += "mov.u64 %x4, " + std::to_string(form.lies_a.descriptor()) + ";\nmov.u64 %x5, " +
          std::to_string(form.lies_b.descriptor()) + ";\nmov.u32 %r5, " +
          std::to_string(form.adds) +
          ";\nsetp.ne.b32 %q, %r5, 0;\nadd.u64 %x4, %x4, %x7;\nadd.u64 %x5, %x5, %x7;\n"
          "wgmma.fence.sync.aligned;\n";
  text += "wgmma.mma_async.sync.aligned.m64n" + std::to_string(form.columns) + "k" +
          std::to_string(form.depth()) + (form.satfinite ? ".satfinite" : "") + "." + form.d + "." +
          form.a.name + "." + form.b.name + " " + registers("%d", form.registers()) + ", " +
          (form.a_in_registers ? registers("%a", 4) : "%x4") + ", %x5, %q";
  if (!form.integers())
    text += ", " + std::to_string(form.sign_a) + ", " + std::to_string(form.sign_b);
  if (form.a.bytes == 2)
    text += (form.a_in_registers ? ""
             : form.lies_a.mn    ? ", 1"
                                 : ", 0") +
            std::string(form.lies_b.mn ? ", 1" : ", 0");
  text += ";\nwgmma.commit_group.sync.aligned;\nwgmma.wait_group.sync.aligned 0;\n"
          "cvt.u64.u32 %x6, %r1;\nadd.u64 %x6, %x0, %x6;\n";
  for (int i = 0; i < form.registers(); ++i)
    text +=
        "st.global." + d + " [%x6+" + std::to_string(512 * i) + "], %d" + std::to_string(i) + ";\n";
  return text + "ret;\n}\n";
}

int number_of(const Type& type, int i) {
  const int value = i * 7 % 5 - 2;
  return type.bits == kU8.bits ? value + 2 : value;
}
int a_at(const Form& form, int row, int k) {
  return number_of(form.a, row * 3 + k * 5 + row * k);
}
int b_at(const Form& form, int column, int k) {
  return number_of(form.b, column * 11 + k * 2 + column * k);
}

void put(std::vector<std::uint8_t>& image, const Type& type, unsigned at, int value) {
  const Word bits = type.bits(value);
  REQUIRE(at + static_cast<unsigned>(type.bytes) <= image.size());
  std::memcpy(&image[at], &bits, static_cast<std::size_t>(type.bytes));
}

// As the device has it: register r of each thread, in threads' order, one register after the other.
TestRun run_of(const Form& form) {
  std::vector<std::uint8_t> image(kImage + 4 * kThreads * 4, 0xee);
  const auto depth = static_cast<unsigned>(form.depth());
  if (!form.a_in_registers)
    for (int row = 0; row < kRows; ++row)
      for (unsigned k = 0; k < depth; ++k)
        put(image, form.a,
            form.lies_a.at(static_cast<unsigned>(row), k, static_cast<unsigned>(form.a.bytes)),
            a_at(form, row, static_cast<int>(k)));
  for (int column = 0; column < form.columns; ++column)
    for (unsigned k = 0; k < depth; ++k)
      put(image, form.b,
          form.lies_b.at(static_cast<unsigned>(column), k, static_cast<unsigned>(form.b.bytes)),
          b_at(form, column, static_cast<int>(k)));
  const int each = 4 / form.a.bytes;
  for (int thread = 0; thread < kThreads; ++thread)
    for (int reg = 0; reg < 4; ++reg)
      for (int i = 0; i < each; ++i) {
        const int row = thread / 32 * 16 + thread % 32 / 4 + reg % 2 * 8;
        const int k = (thread % 4 + reg / 2 * 4) * each + i;
        put(image, form.a,
            static_cast<unsigned>(kImage) +
                static_cast<unsigned>((reg * kThreads + thread) * 4 + i * form.a.bytes),
            a_at(form, row, k));
      }
  TestRun run(ptx_of(form));
  const auto out = run.buffer("out", std::vector<Word>(128 * kThreads), false);
  const auto in = run.buffer("in", image);
  run.launch("product", {1}, {kThreads}, 0, out, in).run();
  return run;
}

int product_at(const Form& form, int row, int column) {
  int sum = form.adds ? form.first_d : 0;
  for (int k = 0; k < form.depth(); ++k)
    sum += form.sign_a * a_at(form, row, k) * form.sign_b * b_at(form, column, k);
  return sum;
}

// How many elements of D differ from plain C++.
int wrong_in(const Form& form) {
  const TestRun run = run_of(form);
  CAPTURE(run.why());
  CHECK(run.findings() == "");
  const auto out = run.result<Word>(0);
  const bool halves = std::string(form.d) == "f16";
  int wrong = 0;
  for (int thread = 0; thread < kThreads; ++thread) {
    for (int n = 0; n < form.columns / 2; ++n) { // the thread's numbers
      const int row = thread / 32 * 16 + thread % 32 / 4 + n / 2 % 2 * 8;
      const int column = n / 4 * 8 + thread % 4 * 2 + n % 2;
      const int reg = halves ? n / 2 : n;
      Word bits = out[static_cast<std::size_t>(reg * kThreads + thread)];
      if (halves) bits = bits >> (n % 2 * 16) & 0xffff;
      const int sum = product_at(form, row, column);
      const Word expected = form.integers() ? static_cast<Word>(sum)
                            : halves        ? kF16.bits(sum)
                                            : as_f32(sum);
      wrong += bits != expected;
    }
  }
  return wrong;
}

Form form_of(Type a, Type b, const char* d, int columns, Lies lies_a, Lies lies_b) {
  Form form;
  form.a = a;
  form.b = b;
  form.d = d;
  form.columns = columns;
  form.lies_a = lies_a;
  form.lies_b = lies_b;
  return form;
}
constexpr unsigned kB = kOfB;

} // namespace

TEST_CASE("wgmma multiplies each of its types") {
  const std::vector<std::pair<Type, const char*>> forms = {
      {kBf16, "f32"}, {kF16, "f32"},  {kF16, "f16"},  {kTf32, "f32"}, {kS8, "s32"},
      {kU8, "s32"},   {kE4m3, "f32"}, {kE5m2, "f32"}, {kE4m3, "f16"}};
  for (const auto& [type, d] : forms) {
    CAPTURE(type.name);
    CAPTURE(d);
    Form form = form_of(type, type, d, 64, by_k(1, 0, 64), by_k(1, kB, 64));
    CHECK(wrong_in(form) == 0);
    form.a_in_registers = true;
    CHECK(wrong_in(form) == 0);
  }
  CHECK(wrong_in(form_of(kE4m3, kE5m2, "f32", 32, by_k(1, 0, 64), by_k(1, kB, 32))) == 0);
  CHECK(wrong_in(form_of(kU8, kS8, "s32", 24, by_k(1, 0, 64), by_k(1, kB, 24))) == 0);
}

TEST_CASE("wgmma has every N") {
  for (int columns = 8; columns <= 256; columns += 8) {
    CAPTURE(columns);
    const auto lines = static_cast<unsigned>(columns);
    CHECK(wrong_in(form_of(kBf16, kBf16, "f32", columns, by_k(3, 0, 64), by_k(3, kB, lines))) == 0);
  }
}

TEST_CASE("wgmma reads each layout, along K and along M and N") {
  for (int swizzle = 0; swizzle < 4; ++swizzle) {
    CAPTURE(swizzle);
    const Lies a = by_k(swizzle, 0, 64), b = by_k(swizzle, kB, 128);
    const Lies mn_a = by_mn(swizzle, 0, 64), mn_b = by_mn(swizzle, kB, 128);
    CHECK(wrong_in(form_of(kBf16, kBf16, "f32", 128, a, b)) == 0);
    CHECK(wrong_in(form_of(kTf32, kTf32, "f32", 128, a, b)) == 0);
    CHECK(wrong_in(form_of(kS8, kS8, "s32", 128, a, b)) == 0);
    CHECK(wrong_in(form_of(kBf16, kBf16, "f32", 128, a, mn_b)) == 0);
    CHECK(wrong_in(form_of(kF16, kF16, "f32", 128, mn_a, b)) == 0);
    CHECK(wrong_in(form_of(kBf16, kBf16, "f32", 128, mn_a, mn_b)) == 0);
    Form in_registers = form_of(kF16, kF16, "f16", 128, a, mn_b);
    in_registers.a_in_registers = true;
    CHECK(wrong_in(in_registers) == 0);
  }
}

TEST_CASE("a later step of K, another place and a base offset are found") {
  Lies a = by_k(1, 0, 64), b = by_k(1, kB, 64);
  a.start += 96;
  b.start += 32;
  CHECK(wrong_in(form_of(kBf16, kBf16, "f32", 64, a, b)) == 0);
  a = by_k(1, 384, 64), b = by_k(2, kB + 128, 64);
  CHECK(wrong_in(form_of(kBf16, kBf16, "f32", 64, a, b)) == 0);
  a.base = 3, b.base = 1;
  CHECK(wrong_in(form_of(kBf16, kBf16, "f32", 64, a, b)) == 0);
}

TEST_CASE("a tile is found behind any number of small arrays, whose gaps no GPU has") {
  Form form = form_of(kBf16, kBf16, "f32", 64, by_k(1, 0, 64), by_k(1, kB, 64));
  for (int arrays : {1, 14, 15, 16}) { // the tile before, across and behind 256 KiB
    CAPTURE(arrays);
    form.arrays = arrays;
    CHECK(wrong_in(form) == 0);
  }
}

TEST_CASE("D is added or not, and A and B have signs") {
  Form form = form_of(kBf16, kBf16, "f32", 16, by_k(1, 0, 64), by_k(1, kB, 16));
  form.adds = false;
  CHECK(wrong_in(form) == 0);
  form.adds = true;
  form.sign_a = -1;
  CHECK(wrong_in(form) == 0);
  form.sign_b = -1;
  CHECK(wrong_in(form) == 0);
}

TEST_CASE("sums of integers end at the largest where that is asked for, and else go round") {
  Form form = form_of(kU8, kU8, "s32", 8, by_k(1, 0, 64), by_k(1, kB, 8));
  form.first_d = 0x7fffffff;
  const auto lowest = [&] {
    const auto out = run_of(form).result<std::int32_t>(0);
    return *std::min_element(out.begin(), out.begin() + 4 * kThreads);
  };
  CHECK(lowest() < 0);
  form.satfinite = true;
  CHECK(lowest() == 0x7fffffff);
}

TEST_CASE("four warps count a product as the bytes of its operands, in no line's conflicts") {
  Form form = form_of(kBf16, kBf16, "f32", 128, by_k(1, 0, 64), by_k(1, kB, 128));
  auto counts = run_of(form).counts("wgmma_n128");
  CHECK(counts.requests == 4);
  CHECK(counts.wavefronts == 48);
  CHECK(counts.ideal == 48);
  form.a_in_registers = true;
  counts = run_of(form).counts("wgmma_n128");
  CHECK(counts.wavefronts == 32);
}

TEST_CASE("what wgmma has elsewhere, or PTX has not at all, is refused by name") {
  const Form form = form_of(kBf16, kBf16, "f32", 64, by_k(1, 0, 64), by_k(1, kB, 64));
  const auto refusal = [&](const std::string& from, const std::string& to) {
    std::string ptx = ptx_of(form);
    const auto at = ptx.find(from);
    REQUIRE(at != ptx.npos);
    ptx.replace(at, from.size(), to);
    TestRun run(ptx);
    run.launch("product", {1}, {kThreads}, 0, run.buffer("out", std::vector<Word>(1)),
               run.buffer("in", std::vector<Word>(1)));
    return device::spelled(run.run().reason);
  };
  CHECK(refusal("mma_async.sync", "mma_async.sp.sync").find("sparse") != std::string::npos);
  CHECK(refusal("wgmma.fence.sync.aligned", "tcgen05.fence::before_thread_sync")
            .find("compute capability 10.0") != std::string::npos);
  CHECK(refusal("m64n64k16", "m64n60k16").find("cannot_execute") != std::string::npos);
  CHECK(refusal("m64n64k16", "m64n64k8").find("cannot_execute") != std::string::npos);
  CHECK(refusal("f32.bf16.bf16", "f16.bf16.bf16").find("cannot_execute") != std::string::npos);
}

} // namespace course::emulator

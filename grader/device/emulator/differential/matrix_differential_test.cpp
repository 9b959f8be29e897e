// ldmatrix, stmatrix and mma.sync against matrices that are written down element by element.
#include "device/emulator/decode/actions.hpp"
#include "device/emulator/decode/instruction_set.hpp"
#include "device/emulator/differential/lane_data.hpp"
#include "device/emulator/differential/matrix_form.hpp"
#include "device/emulator/differential/seed.hpp"
#include "device/emulator/test_run.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <bit>
#include <cmath>

namespace course::emulator::differential {
namespace {

using Word = std::uint32_t;
using Half = std::uint16_t;

constexpr const char* kHead = ".version 9.0\n.target sm_90\n.address_size 64\n";

std::string list(const char* name, std::size_t count) {
  std::string text = "{";
  for (std::size_t i = 0; i < count; ++i)
    text += (i ? ", %" : "%") + std::string(name) + std::to_string(i);
  return text + "}";
}

// ---- ldmatrix, stmatrix

constexpr std::size_t kRows = 64; // of 16 bytes, in shared memory

// Shared memory comes from `memory` and goes back there; `registers` are 4 words a lane, both ways.
std::string kernel_of(const Move& move) {
  const std::string registers = list("r", move.matrices);
  const std::string access =
      move.full() + " " + (move.load ? registers + ", [%at];\n" : "[%at], " + registers + ";\n");
  return std::string(kHead) +
         ".visible .entry k(.param .u64 memory, .param .u64 registers, .param .u64 rows) {\n"
         ".reg .b64 %m, %g, %o, %at, %x; .reg .b32 %r<4>, %t, %w<4>, %s;\n"
         ".shared .align 16 .b8 s[1024];\n"
         "ld.param.u64 %m, [memory]; ld.param.u64 %g, [registers]; ld.param.u64 %o, [rows];\n"
         "mov.u32 %t, %tid.x; mad.wide.u32 %m, %t, 32, %m; mad.wide.u32 %g, %t, 16, %g;\n"
         "mad.wide.u32 %o, %t, 4, %o; ld.global.v4.b32 {%r0, %r1, %r2, %r3}, [%g];\n"
         "mov.u32 %s, s; mad.lo.u32 %s, %t, 32, %s;\n"
         "ld.global.v4.b32 {%w0, %w1, %w2, %w3}, [%m];\n"
         "st.shared.v4.b32 [%s], {%w0, %w1, %w2, %w3};\n"
         "ld.global.v4.b32 {%w0, %w1, %w2, %w3}, [%m+16];\n"
         "st.shared.v4.b32 [%s+16], {%w0, %w1, %w2, %w3};\nbar.sync 0;\n"
         "ld.global.u32 %w0, [%o]; mov.u64 %at, s; " +
         (move.space.empty() ? "cvta.shared.u64 %at, %at; " : "") +
         "mad.wide.u32 %at, %w0, 16, %at;\n" + access +
         "bar.sync 0;\nst.global.v4.b32 [%g], {%r0, %r1, %r2, %r3};\n"
         "ld.shared.v4.b32 {%w0, %w1, %w2, %w3}, [%s];\n"
         "st.global.v4.b32 [%m], {%w0, %w1, %w2, %w3};\n"
         "ld.shared.v4.b32 {%w0, %w1, %w2, %w3}, [%s+16];\n"
         "st.global.v4.b32 [%m+16], {%w0, %w1, %w2, %w3};\nret;\n}\n";
}

// Element `half` of register `reg` of a lane, as an index of halves in 4 words a lane.
std::size_t place_of(const Holder& holder, std::size_t reg) {
  return (holder.lane * 4 + reg) * 2 + holder.half;
}

std::string difference(const Move& move, LaneData& data, device::Device& device) {
  std::vector<Half> memory(kRows * 8), registers(32 * 8);
  std::vector<Word> rows(32);
  for (Half& half : memory) half = static_cast<Half>(data.source(16));
  for (Half& half : registers) half = static_cast<Half>(data.source(16));
  // Rows are apart from each other: which of two stores to one row wins is open.
  std::vector<Word> deck(kRows);
  for (Word i = 0; i < kRows; ++i) deck[i] = i;
  for (std::size_t i = 0; i < 32; ++i) {
    std::swap(deck[i], deck[i + data.below(kRows - i)]);
    rows[i] = deck[i];
  }

  std::vector<Half> expected_memory = memory, expected_registers = registers;
  for (std::size_t m = 0; m < move.matrices; ++m)
    for (std::size_t row = 0; row < 8; ++row)
      for (std::size_t column = 0; column < 8; ++column) {
        const std::size_t in_memory = rows[m * 8 + row] * 8 + column;
        const std::size_t held = place_of(holder_of_element(row, column, move.transposed), m);
        if (move.load)
          expected_registers[held] = memory[in_memory];
        else
          expected_memory[in_memory] = registers[held];
      }

  TestRun run(kernel_of(move));
  const auto at_memory = run.buffer("memory", memory);
  const auto at_registers = run.buffer("registers", registers);
  const auto at_rows = run.buffer("rows", rows);
  run.launch("k", {1}, {32}, 0, at_memory, at_registers, at_rows);
  run.seen = device.execute(run.job);
  if (!run.seen.reason.empty() || !run.findings().empty())
    return move.full() + ": " + run.why() + run.findings();
  if (run.result<Half>(0) != expected_memory) return move.full() + ": memory differs";
  if (run.result<Half>(1) != expected_registers) return move.full() + ": registers differ";
  return {};
}

// ---- mma

std::string kernel_of(const Product& product) {
  const std::size_t of_a = product.registers_of_a(), of_b = product.registers_of_b();
  std::string text = std::string(kHead) + ".visible .entry k(.param .u64 out, .param .u64 in) {\n"
                                          ".reg .b64 %o, %g; .reg .b32 %a<4>, %b<2>, %t;\n"
                                          ".reg .f32 %c<4>, %d<4>;\n"
                                          "ld.param.u64 %o, [out]; ld.param.u64 %g, [in];\n"
                                          "mov.u32 %t, %tid.x; mad.wide.u32 %o, %t, 16, %o;\n"
                                          "mad.wide.u32 %g, %t, 48, %g;\n";
  const auto load = [&](const char* name, std::size_t count, std::size_t from) {
    for (std::size_t i = 0; i < count; ++i)
      text += "ld.global.b32 %" + std::string(name) + std::to_string(i) + ", [%g+" +
              std::to_string(from + 4 * i) + "];\n";
  };
  load("a", of_a, 0);
  load("b", of_b, 16);
  load("c", 4, 32);
  return text + product.full() + " " + list("d", 4) + ", " + list("a", of_a) + ", " +
         list("b", of_b) + ", " + list("c", 4) + ";\n" +
         "st.global.v4.f32 [%o], {%d0, %d1, %d2, %d3};\nret;\n}\n";
}

// A finite number of moderate size, so that no order of summation overflows.
Word operand(const Product& product, LaneData& data) {
  const auto half = [&]() -> Word {
    const auto exponent = static_cast<Word>(data.below(16));
    return product.type == "f16"
               ? static_cast<Word>((7 + exponent) << 10 | data.below(1024) | data.below(2) << 15)
               : static_cast<Word>((119 + exponent) << 7 | data.below(128) | data.below(2) << 15);
  };
  if (product.type != "tf32") return half() | half() << 16;
  return static_cast<Word>((119 + data.below(16)) << 23 | data.below(1u << 23) |
                           data.below(2) << 31);
}

std::string difference(const Product& product, LaneData& data, device::Device& device) {
  std::vector<Word> in(32 * 12);
  for (std::size_t i = 0; i < in.size(); ++i)
    in[i] = i % 12 < 8 ? operand(product, data)
                       : static_cast<Word>((119 + data.below(16)) << 23 | data.below(1u << 23));
  TestRun run(kernel_of(product));
  const auto out = run.buffer("out", std::vector<float>(32 * 4));
  const auto at = run.buffer("in", in);
  run.launch("k", {1}, {32}, 0, out, at);
  run.seen = device.execute(run.job);
  if (!run.seen.reason.empty() || !run.findings().empty())
    return product.full() + ": " + run.why() + run.findings();

  const auto got = run.result<float>(0);
  const auto word = [&](const Holder& holder, std::size_t from) {
    return in[holder.lane * 12 + from + holder.reg];
  };
  for (std::size_t row = 0; row < 16; ++row) {
    for (std::size_t column = 0; column < 8; ++column) {
      const Holder c = Product::c(row, column);
      double sum = double{std::bit_cast<float>(word(c, 8))}, magnitude = std::abs(sum);
      for (std::size_t k = 0; k < product.depth; ++k) {
        const Holder a = product.a(row, k), b = product.b(k, column);
        const double each = product.number(word(a, 0), a.half) * product.number(word(b, 4), b.half);
        sum += each;
        magnitude += std::abs(each);
      }
      // How the hardware rounds in between is not documented: a few units of the largest sum.
      const double difference = std::abs(double{got[c.lane * 4 + c.reg]} - sum);
      if (!(difference <= std::ldexp(magnitude, -21)))
        return product.full() + ": row " + std::to_string(row) + ", column " +
               std::to_string(column) + " is " + std::to_string(got[c.lane * 4 + c.reg]) +
               ", expected " + std::to_string(sum);
    }
  }
  return {};
}

} // namespace

TEST_CASE("ldmatrix and stmatrix move each element between its row and its lane") {
  const std::uint64_t first = seed(20260705);
  const auto device = make_device({1, true});
  std::size_t launches = 0;
  for (const Move& move : moves()) {
    for (std::uint64_t i = 0; i < 8 * rounds() / kOneOf; ++i, ++launches) {
      LaneData data(first + i);
      const std::string differs = difference(move, data, *device);
      CHECK_MESSAGE(differs.empty(), "seed " << first << ": " << differs);
    }
  }
  MESSAGE(moves().size() << " forms in " << launches << " warps");
}

TEST_CASE("every product of matrices is what its elements make") {
  const std::uint64_t first = seed(20260706);
  const auto device = make_device({1, true});
  std::vector<std::string> referenced;
  for (const Product& product : products()) {
    referenced.push_back(product.full().substr(std::string("mma.").size()));
    for (std::uint64_t i = 0; i < 8 * rounds() / kOneOf; ++i) {
      LaneData data(first + i);
      const std::string differs = difference(product, data, *device);
      CHECK_MESSAGE(differs.empty(), "seed " << first << ": " << differs);
    }
  }
  for (const std::string& name : matrix_product_names())
    CHECK_MESSAGE(std::count(referenced.begin(), referenced.end(), name) == 1, name);
  MESSAGE(referenced.size() << " forms");
}

} // namespace course::emulator::differential

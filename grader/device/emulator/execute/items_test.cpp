// What ordinary CUDA programs use, item by item: kernels of data/items.cu against host code.
#include "device/emulator/test_run.hpp"

#include "device/emulator/execute/halves.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <numeric>
#include <random>

namespace course::emulator {
namespace {

template <typename T>
std::vector<T> random_numbers(std::size_t count, T low, T high) {
  std::mt19937_64 random(5);
  std::vector<T> numbers(count);
  for (T& number : numbers) {
    const double unit = static_cast<double>(random() >> 11) * 0x1p-53;
    const double range = static_cast<double>(high) - static_cast<double>(low);
    number = static_cast<T>(static_cast<double>(low) + unit * range);
  }
  return numbers;
}

// `kernel` on one block of `threads`, with `results` elements of output.
template <typename Out, typename In>
std::vector<Out> results(const std::string& kernel, const std::vector<In>& in, std::size_t count,
                         unsigned threads = 32) {
  TestRun run("items.ptx");
  const auto out = run.buffer("out", std::vector<Out>(count), false);
  const auto from = run.buffer("in", in);
  run.launch(kernel, {1}, {threads}, 0, out, from).run();
  CHECK(run.why() == "");
  CHECK(run.findings() == "");
  return run.result<Out>(0);
}

s8 byte(int word, int i) {
  return static_cast<s8>(word >> 8 * i);
}

} // namespace

TEST_CASE("half2 and bfloat162 round after each operation") {
  std::vector<u16> in(64);
  for (std::size_t i = 0; i < 64; ++i) in[i] = F16::rounded(0.01 * static_cast<double>(i) - 0.3);
  const auto squares = results<u16>("half_pairs", in, 64);
  for (std::size_t i = 0; i < 64; ++i) {
    const double x = F16::value(in[i]);
    CHECK(squares[i] == F16::rounded(x * 2 + F16::value(F16::rounded(x * x))));
  }
  for (std::size_t i = 0; i < 64; ++i) in[i] = Bf16::rounded(0.7 * static_cast<double>(i) - 20);
  const auto sums = results<u16>("brain_pairs", in, 64);
  for (std::size_t i = 0; i < 64; ++i) CHECK(sums[i] == Bf16::rounded(Bf16::value(in[i]) + 1));
}

TEST_CASE("dot products, permutes, funnel shifts and packed bytes") {
  const auto in = random_numbers<int>(32, -2'000'000'000, 2'000'000'000);
  const auto out = results<int>("bytes_of_words", in, 256);
  for (std::size_t t = 0; t < 32; ++t) {
    CAPTURE(t);
    const int a = in[t], b = in[31 - t];
    const u32 ua = static_cast<u32>(a), ub = static_cast<u32>(b);
    int dot4 = 100, dot2 = 100;
    for (int i = 0; i < 4; ++i) dot4 += byte(a, i) * byte(b, i);
    for (int i = 0; i < 2; ++i) dot2 += static_cast<s16>(a >> 16 * i) * byte(b, i);
    CHECK(out[t] == dot4);
    CHECK(out[32 + t] == dot2);
    // Selector 0x5270: bytes 0 and 7, 2, 5 of the pair, from the lowest.
    const u32 permuted =
        (ua & 0xff) | (ub >> 24) << 8 | (ua >> 16 & 0xff) << 16 | (ub >> 8 & 0xff) << 24;
    CHECK(static_cast<u32>(out[64 + t]) == permuted);
    const u64 both = u64{ub} << 32 | ua;
    CHECK(static_cast<u32>(out[96 + t]) == static_cast<u32>(both << t >> 32));
    CHECK(static_cast<u32>(out[128 + t]) ==
          static_cast<u32>(both >> std::min<std::size_t>(40 - t, 32)));
    u32 sums = 0, distances = 0;
    for (int i = 0; i < 4; ++i) {
      const int x = static_cast<u8>(a >> 8 * i), y = static_cast<u8>(b >> 8 * i);
      sums |= static_cast<u32>((x + y) & 255) << 8 * i;
      distances |= static_cast<u32>(std::abs(x - y)) << 8 * i;
    }
    CHECK(static_cast<u32>(out[160 + t]) == sums);
    u32 reversed = 0;
    for (int i = 0; i < 32; ++i) reversed |= (ua >> i & 1) << (31 - i);
    const int counted = std::countl_zero(ub) ^ std::popcount(ua) ^ (std::countr_zero(ub) + 1);
    CHECK(static_cast<u32>(out[192 + t]) == (reversed ^ static_cast<u32>(counted)));
    const int halves =
        std::abs(int(ua & 0xffff) - int(ub & 0xffff)) + std::abs(int(ua >> 16) - int(ub >> 16));
    const int least = std::max(std::min(a, b), 0);
    CHECK(static_cast<u32>(out[224 + t]) ==
          distances + static_cast<u32>(halves) + static_cast<u32>(least));
  }
}

TEST_CASE("a warp reduces, matches and votes") {
  const auto in = random_numbers<int>(32, -1000, 1000);
  const auto out = results<u32>("of_the_warp", in, 224);
  u32 odd = 0, folded = 0;
  for (std::size_t t = 0; t < 32; ++t) {
    odd |= (static_cast<u32>(in[t]) & 1) << t;
    folded ^= static_cast<u32>(in[t]);
  }
  for (std::size_t t = 0; t < 32; ++t) {
    u32 alike = 0;
    for (std::size_t k = 0; k < 32; ++k) alike |= u32((in[k] & 3) == (in[t] & 3)) << k;
    CHECK(static_cast<int>(out[t]) == std::accumulate(in.begin(), in.end(), 0));
    CHECK(static_cast<int>(out[32 + t]) == *std::max_element(in.begin(), in.end()));
    CHECK(out[64 + t] == alike);
    CHECK(out[96 + t] == 0); // all lanes, plus one
    CHECK(out[128 + t] == odd);
    CHECK(out[160 + t] == (std::count(in.begin(), in.end(), -1) ? 3u : 2u));
    CHECK(out[192 + t] == folded);
  }
}

TEST_CASE("128-bit arithmetic carries from word to word") {
  using Wide = unsigned __int128;
  std::mt19937_64 random(3);
  std::vector<Wide> in(32);
  for (Wide& number : in) number = Wide{random()} << 64 | random();
  const auto out = results<Wide>("carries", in, 32);
  for (std::size_t t = 0; t < 32; ++t)
    CHECK((out[t] == in[t] * in[31 - t] + (in[t] >> 3) - in[(t + 5) % 32]));
}

TEST_CASE("doubles round as IEEE says") {
  const auto in = random_numbers<double>(32, 0.0, 9.0);
  const auto out = results<double>("doubles", in, 96);
  for (std::size_t t = 0; t < 32; ++t) {
    CHECK(out[t] == std::fma(in[t], in[31 - t], 1.0) / (in[t] + 3.0));
    const double quotient = 1.0 / (in[t] + 1);
    // The nearest double, or the one below it where that is above the quotient.
    const bool above = std::fma(quotient, in[t] + 1, -1.0) > 0;
    const double down = above ? std::nextafter(quotient, 0) : quotient;
    CHECK(out[32 + t] == std::sqrt(in[t]) + std::rint(in[t]) + down);
    CHECK(out[64 + t] == double(static_cast<long long>(in[t] * 100)) + float(in[t]));
  }
}

TEST_CASE("64-bit atomics on shared and global memory") {
  const auto in = random_numbers<u64>(64, 1u, 1ull << 62);
  TestRun run("items.ptx");
  const auto out = run.buffer("sums", std::vector<u64>(6));
  const auto from = run.buffer("in", in);
  run.launch("long_atomics", {1}, {64}, 0, out, from).run();
  CHECK(run.why() == "");
  CHECK(run.findings() == "");
  const auto sums = run.result<u64>(0);
  u64 sum = 0, bits = 0;
  for (const u64 number : in) sum += number, bits |= number;
  CHECK(sums[0] == sum);
  CHECK(sums[1] == *std::max_element(in.begin(), in.end()));
  CHECK(sums[2] == *std::min_element(in.begin(), in.end()));
  CHECK(sums[3] == bits);
  CHECK(sums[4] == 77);
  CHECK(sums[5] == 5);
  // A loop: for each lane of the two halves of a warp at least a load and an attempt. In a maximum
  // most lanes find nothing to change, and attempt nothing.
  const std::uint64_t every_lane = 2 * 16 * (1 + 2);
  CHECK(run.counts("red_shared_or_b64").wavefronts >= every_lane);
  CHECK(run.counts("red_shared_max_u64").requests == 2);
  CHECK(run.counts("red_shared_max_u64").wavefronts >= 2 * (1 + 2));
  CHECK(run.counts("red_shared_max_u64").wavefronts < every_lane / 2);
}

TEST_CASE("atomic sums of floats, doubles and pairs of halves") {
  std::vector<float> in(32);
  std::iota(in.begin(), in.end(), 0.5f); // sums of such numbers are exact
  TestRun run("items.ptx");
  const auto sums = run.buffer("sums", std::vector<float>(2));
  const auto more = run.buffer("more", std::vector<double>(1));
  const auto from = run.buffer("in", in);
  run.launch("float_atomics", {1}, {32}, 0, sums, more, from).run();
  CHECK(run.why() == "");
  CHECK(run.result<float>(0)[0] == 512.0f);
  CHECK(run.result<double>(1)[0] == 512.0);
  const auto pair = std::bit_cast<u32>(run.result<float>(0)[1]);
  CHECK(F16::value(static_cast<u16>(pair)) == 32);
  CHECK(F16::value(static_cast<u16>(pair >> 16)) == 64);
}

TEST_CASE("clocks advance, and a nap ends") {
  TestRun run("items.ptx");
  const auto out = run.buffer("out", std::vector<s64>(32), false);
  run.launch("waits_and_looks", {1}, {32}, 0, out).run();
  CHECK(run.why() == "");
  CHECK(run.result<s64>(0) == std::vector<s64>(32, 3));
}

TEST_CASE("vectors through the read-only cache, bytes, and volatile") {
  const auto in = random_numbers<float>(128, 0.0f, 1.0f);
  std::vector<u8> bytes(128);
  std::iota(bytes.begin(), bytes.end(), u8{0});
  TestRun run("items.ptx");
  const auto out = run.buffer("out", std::vector<float>(128), false);
  const auto from = run.buffer("in", in), small = run.buffer("bytes", bytes);
  const auto flag = run.buffer("flag", std::vector<int>(32, 6));
  run.launch("read_only_vectors", {1}, {32}, 0, out, from, small, flag).run();
  CHECK(run.why() == "");
  CHECK(run.findings() == "");
  for (std::size_t i = 0; i < 128; ++i) CHECK(run.result<float>(0)[i] == in[i] + float(i));
  CHECK(run.result<int>(3) == std::vector<int>(32, 7));
}

TEST_CASE("constant arrays of two dimensions, and local arrays with an index") {
  TestRun run("items.ptx");
  const auto out = run.buffer("out", std::vector<int>(32), false);
  run.launch("constant_arrays", {1}, {32}, 0, out, 2).run();
  CHECK(run.why() == "");
  CHECK(run.findings() == "");
  const int weights[4][8] = {{1, 2, 3}, {4, 5, 6}, {7, 8, 9}, {10, 11, 12}};
  for (std::size_t t = 0; t < 32; ++t)
    CHECK(run.result<int>(0)[t] == weights[2][t % 8] * int(t % 8 + 1) + weights[t % 4][t % 3]);
}

TEST_CASE("cooperative groups: block, tiles, and the lanes that are here") {
  std::vector<int> in(64);
  std::iota(in.begin(), in.end(), 3);
  const auto out = results<int>("groups_of_threads", in, 128, 64);
  for (int t = 0; t < 64; ++t) {
    const int first = t / 8 * 8 + 3;
    CHECK(out[static_cast<std::size_t>(t)] == 8 * first + 28 + 1);
    CHECK(out[static_cast<std::size_t>(64 + t)] == 32 + t % 32);
  }
}

TEST_CASE("virtual functions are called through their tables") {
  TestRun run("items.ptx");
  const auto out = run.buffer("out", std::vector<int>(32), false);
  run.launch("virtual_calls", {1}, {32}, 0, out).run();
  CHECK(run.why() == "");
  CHECK(run.findings() == "");
  for (int t = 0; t < 32; ++t)
    CHECK(run.result<int>(0)[static_cast<std::size_t>(t)] == (t % 2 ? t * t : 1));
}

TEST_CASE("barriers count, and, and or") {
  TestRun run("items.ptx");
  const auto out = run.buffer("out", std::vector<int>(96), false);
  run.launch("counted_barriers", {1}, {96}, 0, out).run();
  CHECK(run.why() == "");
  CHECK(run.findings() == "");
  CHECK(run.result<int>(0) == std::vector<int>(96, 32 + 10000));
}

TEST_CASE("functions of the math library come near those of the host") {
  const auto in = random_numbers<float>(32, 0.0f, 3.0f);
  const auto out = results<float>("many_functions", in, 128);
  for (std::size_t t = 0; t < 32; ++t) {
    CAPTURE(t);
    const double x = double{in[t]};
    const auto near = [](float mine, double expected) {
      return std::abs(double{mine} - expected) < 2e-5 * (1 + std::abs(expected));
    };
    CHECK(near(out[t], std::sin(x) + std::cos(x) + std::exp(x) + std::log(x + 1) +
                           std::pow(x, 1.5) + std::tanh(x) + std::erf(x)));
    CHECK(near(out[32 + t],
               std::sin(x) + std::exp(x) + std::log(x + 1) + 1 / std::sqrt(x + 1) + x / 3));
    CHECK(near(out[64 + t], double{std::fmod(in[t], 0.7f)} + std::floor(x) + std::round(x) +
                                std::fmin(x, 1) - x));
    CHECK(near(out[96 + t], x * x + x + x + 1 / (x + 1) + std::clamp(x, 0.0, 1.0)));
  }
}

TEST_CASE("integers divide, in 32 and 64 bits") {
  const auto in = random_numbers<int>(32, -2'000'000'000, 2'000'000'000);
  const auto out = results<int>("divides", in, 96);
  for (int t = 0; t < 32; ++t) {
    const auto i = static_cast<std::size_t>(t);
    const int a = in[i];
    CHECK(out[i] == a / (t + 1) + a % (t + 3));
    CHECK(out[32 + i] == static_cast<int>(s64{a} * 1000003 / (t + 7) % 1009));
    const u32 product = (static_cast<u32>(a) & 0xffffff) * static_cast<u32>(t);
    CHECK(static_cast<u32>(out[64 + i]) == static_cast<u32>(s64{a} * 123456789 >> 32) + product +
                                               static_cast<u32>(std::abs(a)) +
                                               static_cast<u32>(std::min(a, 50)));
  }
}

TEST_CASE("the last block to end adds up what the others left") {
  std::vector<int> in(40);
  std::iota(in.begin(), in.end(), 1);
  TestRun run("items.ptx");
  const auto out = run.buffer("out", std::vector<int>(41));
  const auto from = run.buffer("in", in);
  run.launch("last_block", {40}, {32}, 0, out, from).run();
  CHECK(run.why() == "");
  CHECK(run.findings() == "");
  CHECK(run.result<int>(0)[0] == 820);
}

TEST_CASE("cache policies are made and given to loads and stores") {
  TestRun run(".version 8.0\n.target sm_90\n.address_size 64\n"
              ".visible .entry k(.param .u64 out)\n{\n.reg .b32 %r<5>;\n.reg .b64 %rd<9>;\n"
              "ld.param.u64 %rd1, [out];\nmov.u32 %r1, %tid.x;\n"
              "mad.wide.u32 %rd1, %r1, 4, %rd1;\n"
              "createpolicy.fractional.L2::evict_last.b64 %rd2, 1.0;\n"
              "createpolicy.range.global.L2::evict_last.L2::evict_unchanged.b64 "
              "%rd3, [%rd1], 128, 128;\n"
              "createpolicy.cvt.L2.b64 %rd4, 7;\n"
              "ld.global.L2::cache_hint.u32 %r2, [%rd1], %rd2;\n"
              "add.u32 %r2, %r2, %r1;\n"
              "st.global.L2::cache_hint.u32 [%rd1], %r2, %rd3;\nret;\n}\n");
  const auto out = run.buffer("out", std::vector<int>(32, 5));
  run.launch("k", {1}, {32}, 0, out).run();
  CHECK(run.why() == "");
  CHECK(run.result<int>(0)[0] == 5);
  CHECK(run.result<int>(0)[31] == 36);
}

TEST_CASE("the global timer's halves are those of the whole") {
  TestRun run(".version 8.0\n.target sm_90\n.address_size 64\n"
              ".visible .entry k(.param .u64 out)\n{\n.reg .b32 %r<4>;\n.reg .b64 %rd<4>;\n"
              "ld.param.u64 %rd1, [out];\nmov.u32 %r1, %globaltimer_lo;\n"
              "mov.u64 %rd2, %globaltimer;\nmov.u32 %r2, %globaltimer_hi;\n"
              "cvt.u32.u64 %r3, %rd2;\nsub.u32 %r1, %r3, %r1;\n"
              "st.global.u32 [%rd1], %r1;\nst.global.u32 [%rd1+4], %r2;\nret;\n}\n");
  const auto out = run.buffer("out", std::vector<unsigned>(2, 99));
  run.launch("k", {1}, {1}, 0, out).run();
  CHECK(run.why() == "");
  CHECK(run.result<unsigned>(0)[0] == 1); // one instruction later
  CHECK(run.result<unsigned>(0)[1] == 0);
}

TEST_CASE("what is not available is refused by name, with the line") {
  const auto refusal = [](const std::string& instruction) {
    TestRun run(std::string(".version 8.0\n.target sm_90\n.address_size 64\n"
                            ".file 1 \"kernel.cu\"\n"
                            ".extern .func (.param .b64 r) __cudaCDP2GetParameterBufferV2 "
                            "(.param .b64 a);\n"
                            ".visible .entry k()\n{\n.reg .b32 %r<5>;\n.reg .b64 %rd<4>;\n"
                            ".reg .f32 %f<5>;\n.reg .pred %p<2>;\n"
                            ".param .b64 a;\n.param .b64 r;\n.loc 1 7 3\n") +
                instruction + "\nret;\n}\n");
    run.launch("k", {1}, {32}, 0).run();
    CHECK(run.seen.status == device::Observation::Status::unsupported);
    CHECK(run.why().find(", kernel.cu, 7)") != std::string::npos);
    return run.why();
  };
  const char* const im2col = "cp.async.bulk.tensor.3d.shared::cluster.global.im2col."
                             "mbarrier::complete_tx::bytes [%r1], [%rd1, {%r2, %r2, %r2}], [%r3];";
  const char* const reduces = "cp.reduce.async.bulk.tensor.1d.global.shared::cta.add.tile."
                              "bulk_group [%rd1, {%r2}], [%r1];";
  for (const std::string instruction :
       {"tex.cube.v4.f32.f32 {%f1, %f2, %f3, %f4}, [%rd1, {%f1, %f2, %f3, %f4}];",
        "tex.1d.v4.f32.s32 {%f1, %f2, %f3, %f4}, [a, {%r1}];",
        "tex.3d.v4.f32.f32 {%f1, %f2, %f3, %f4}, [%rd1, {%f1}];",
        "sust.p.1d.b32.trap [%rd1, {%r1}], {%r2};", "wgmma.fence.aligned;",
        "cp.async.bulk.global.shared::cta.bulk_group.cp_mask [%rd1], [%r1], %r2, %r3;", im2col,
        reduces, "multimem.ld_reduce.global.add.u32 %r1, [%rd1];",
        "setmaxnreg.inc.sync.aligned.u32 100;", "discard.shared.L2 [%rd1], 128;"}) {
    CAPTURE(instruction);
    const std::string name = instruction.substr(0, instruction.find_first_of(" ;"));
    CHECK(refusal(instruction).find(name.substr(0, name.rfind('.'))) != std::string::npos);
  }
  CHECK(refusal("mov.u32 %r1, %reserved_smem_offset_0;").find("reserved_smem_offset_0") !=
        std::string::npos);
  CHECK(refusal("call.uni (r), __cudaCDP2GetParameterBufferV2, (a);").find("dynamic parallelism") !=
        std::string::npos);
}

TEST_CASE("an instruction without a row refuses the kernels that reach it, and no others") {
  const std::string text =
      ".version 9.0\n.target sm_90\n.address_size 64\n.file 1 \"kernel.cu\"\n"
      ".func f()\n{\n.reg .b32 %r<2>;\n.loc 1 9 3\nadd.u32 %r1, %r1, 1;\n.loc 1 10 3\n"
      "frobnicate.b32 %r1;\nret;\n}\n"
      ".visible .entry calls()\n{\ncall.uni f, ();\nret;\n}\n"
      ".visible .entry has()\n{\n.reg .b32 %r<2>;\n.reg .pred %p<2>;\n@%p1 ret;\n.loc 1 20 3\n"
      "wmma.guess.b32 %r1;\nret;\n}\n"
      ".visible .entry alone()\n{\nret;\n}\n";
  const auto ran = [&](const char* kernel) {
    TestRun run(text);
    run.launch(kernel, {1}, {32}, 0).run();
    return run.why();
  };
  CHECK(ran("alone") == "");
  CHECK(ran("calls").find("(frobnicate.b32, kernel.cu, 10)") != std::string::npos);
  CHECK(ran("has").find("(wmma.guess.b32, kernel.cu, 20)") != std::string::npos);
}

} // namespace course::emulator

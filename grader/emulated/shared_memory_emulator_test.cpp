// The library as other programs have it: through its header alone.
#include "shared_memory_emulator.hpp"

#include "device/code/fatbin/fatbin_image.hpp"

#include <doctest/doctest.h>

#include <cstring>
#include <optional>
#include <thread>

namespace course::emulated {
namespace {

// Threads of a warp turn round what `in` holds, by way of shared memory, with a barrier or without;
// one kernel never ends, and one has an instruction that no GPU of 9.0 has.
const std::string kPtx = R"(.version 9.0
.target sm_90
.address_size 64
.const .align 4 .u32 factor = 1;
.visible .entry turn(.param .u64 out, .param .u64 in, .param .u32 add) {
  .reg .b32 %r<9>;
  .reg .b64 %rd<9>;
  .shared .align 4 .b8 tile[256];
  .loc 1 3 0
  ld.param.u64 %rd1, [out];
  ld.param.u64 %rd2, [in];
  ld.param.u32 %r1, [add];
  mov.u32 %r2, %tid.x;
  mul.wide.u32 %rd3, %r2, 4;
  add.s64 %rd4, %rd2, %rd3;
  ld.global.u32 %r3, [%rd4];
  mov.u32 %r4, tile;
  shl.b32 %r5, %r2, 2;
  add.s32 %r6, %r4, %r5;
  .loc 1 4 0
  st.shared.u32 [%r6], %r3;
  .loc 1 5 0
  BARRIER
  .loc 1 6 0
  sub.s32 %r7, 252, %r5;
  add.s32 %r7, %r4, %r7;
  ld.shared.u32 %r8, [%r7];
  ld.const.u32 %r3, [factor];
  mad.lo.s32 %r8, %r8, %r3, %r1;
  add.s64 %rd5, %rd1, %rd3;
  .loc 1 7 0
  st.global.u32 [%rd5], %r8;
  ret;
}
.visible .entry _Z7forever() {
AGAIN:
  bra AGAIN;
}
.visible .entry _Z7strangev() {
  .reg .b32 %r<2>;
  .loc 1 20 0
  nosuch.b32 %r1, 1;
  ret;
}
.file 1 "turn.cu"
)";

std::string ptx(const std::string& barrier = "bar.sync 0;") {
  std::string text = kPtx;
  return text.replace(text.find("BARRIER"), 7, barrier);
}

constexpr std::size_t kThreads = 64;
using Numbers = std::vector<std::uint32_t>;
constexpr std::uint64_t kBytes = kThreads * sizeof(std::uint32_t);
const Launch kTurn{.kernel = "turn", .grid = {}, .block = {kThreads}};

Numbers counted() {
  Numbers numbers(kThreads);
  for (std::size_t i = 0; i < kThreads; ++i) numbers[i] = static_cast<std::uint32_t>(i);
  return numbers;
}
Bytes bytes_of(const Numbers& numbers) {
  return std::as_bytes(std::span(numbers));
}
Numbers numbers_of(const std::vector<std::byte>& bytes) {
  Numbers numbers(bytes.size() / sizeof(std::uint32_t));
  std::memcpy(numbers.data(), bytes.data(), bytes.size());
  return numbers;
}

// What it throws says; empty where it throws nothing.
template <typename Work>
std::string error(Work work) {
  try {
    work();
  } catch (const Error& thrown) {
    return thrown.what();
  }
  return "";
}

// Two arrays of numbers, of which one is written.
struct Turn {
  explicit Turn(const Options& options = {}) : gpu(options) {
    in = gpu.allocate(kBytes, "in"), out = gpu.allocate(kBytes, "out");
    gpu.write(in, bytes_of(counted()));
  }
  Result launch(const Module& module, std::uint32_t add = 0) {
    return gpu.launch(module, kTurn, out, in, add);
  }
  Gpu gpu;
  Address in = 0, out = 0;
};

const LineCounts* at(const Result& result, const std::string& access) {
  for (const auto& line : result.lines)
    if (line.access == access) return &line;
  return nullptr;
}

} // namespace

TEST_CASE("a kernel's outputs, counts by line and findings are there") {
  Turn turn;
  const auto result = turn.launch(Module::from_ptx(ptx()), 100);
  CHECK(result.clean());
  CHECK(result.findings.empty());
  const auto out = numbers_of(turn.gpu.read(turn.out, kBytes));
  CHECK(out[0] == 163);
  CHECK(out[63] == 100);
  REQUIRE(at(result, "shared_store_4"));
  CHECK(at(result, "shared_store_4")->line == 4);
  CHECK(at(result, "shared_store_4")->file == "turn.cu");
  CHECK(at(result, "shared_store_4")->requests == 2);
  CHECK(at(result, "shared_store_4")->wavefronts == 2);
  CHECK_FALSE(at(result, "shared_store_4")->exact); // there is no cubin
  REQUIRE(at(result, "global_store_4"));
  CHECK(at(result, "global_store_4")->sectors == 8);
  CHECK(result.bank_conflicts == 0);
  CHECK(result.barriers == 2);
}

TEST_CASE("counts are of one launch, whatever was launched before") {
  Turn turn;
  const auto module = Module::from_ptx(ptx());
  turn.launch(module);
  CHECK(at(turn.launch(module), "shared_store_4")->requests == 2);
}

TEST_CASE("a race is a finding in words, on both lines, and the kernel comes to its end") {
  Turn turn;
  const auto result = turn.launch(Module::from_ptx(ptx("")));
  CHECK(result.ended.empty());
  CHECK_FALSE(result.clean());
  REQUIRE_FALSE(result.findings.empty());
  CHECK(result.findings[0].kind == "race");
  CHECK(result.findings[0].words.find("no barrier is between the two") != std::string::npos);
  CHECK(result.findings[0].line + result.findings[0].other_line == 10);
  CHECK(Turn({.find_races = false}).launch(Module::from_ptx(ptx(""))).clean());
}

TEST_CASE("with the text of the kernel, findings name elements of its arrays") {
  const std::string source = "__global__ void turn(int*, int*, int) { __shared__ int tile[64]; }";
  const auto words = [](const Result& result) {
    return result.findings.empty() ? "" : result.findings[0].words;
  };
  const auto named = words(Turn().launch(Module::from_ptx(ptx(""), {}, source)));
  CHECK(named.find("tile[") != std::string::npos);
  CHECK(words(Turn().launch(Module::from_ptx(ptx("")))).find("tile[") == std::string::npos);
}

TEST_CASE("a kernel that is not there is named with those that are") {
  Turn turn;
  const auto module = Module::from_ptx(ptx());
  CHECK(module.kernels() == std::vector<std::string>{"turn", "forever", "strange"});
  CHECK(error([&] { turn.gpu.launch(module, {.kernel = "turns", .grid = {}, .block = {}}); }) ==
        "the module has no kernel turns; it has turn, forever, strange");
}

TEST_CASE("arguments are as many as parameters, and as large") {
  Turn turn;
  const auto module = Module::from_ptx(ptx());
  CHECK(error([&] { turn.gpu.launch(module, kTurn, turn.out, turn.in); }) ==
        "turn has 3 parameters, and 2 arguments were given");
  CHECK(error([&] { turn.gpu.launch(module, kTurn, turn.out, turn.in, 0, 0); }) ==
        "turn has 3 parameters, and 4 arguments were given");
  CHECK(error([&] { turn.gpu.launch(module, kTurn, turn.out, 0, 0); }) ==
        "parameter 2 of turn has 8 bytes, and its argument 4");
  CHECK(turn.launch(module).clean()); // nothing has changed
}

TEST_CASE("memory that a Gpu does not have is neither read nor written nor freed") {
  Turn turn;
  const auto foreign = Turn().in + (1u << 30);
  CHECK(error([&] { turn.gpu.write(foreign, bytes_of(counted())); }) != "");
  CHECK(error([&] { turn.gpu.read(foreign, 4); }) != "");
  CHECK(error([&] { turn.gpu.read(turn.in, kBytes + 1); }) != "");
  CHECK(error([&] { turn.gpu.free(foreign); }) != "");
  turn.gpu.free(turn.out);
  CHECK(error([&] { turn.gpu.read(turn.out, 4); }) != "");
  CHECK(error([&] { turn.gpu.allocate(1ull << 50); }) != "");
}

TEST_CASE("a kernel that leaves memory is ended, and what there was can be read") {
  Turn turn;
  const auto module = Module::from_ptx(ptx());
  const auto result = turn.gpu.launch(module, kTurn, Address{16}, turn.in, 0);
  CHECK_FALSE(result.clean());
  CHECK(result.ended.starts_with("out of bounds: "));
  REQUIRE_FALSE(result.findings.empty());
  CHECK(result.findings.back().kind == "out of bounds");
  CHECK(result.findings.back().line == 7);
  CHECK(numbers_of(turn.gpu.read(turn.in, kBytes)) == counted());
  CHECK(error([&] { turn.launch(module); }).starts_with("an earlier launch was ended"));
}

TEST_CASE("what nobody has written is found where it is used") {
  Turn turn;
  const auto result = turn.gpu.launch(Module::from_ptx(ptx()), kTurn, turn.in, turn.out, 0);
  REQUIRE_FALSE(result.findings.empty());
  CHECK(result.findings[0].kind == "uninitialised");
  CHECK(result.findings[0].words.find("out") != std::string::npos);
}

TEST_CASE("a kernel without end is ended") {
  Gpu gpu({.instructions = 1000});
  const auto result =
      gpu.launch(Module::from_ptx(ptx()), {.kernel = "forever", .grid = {}, .block = {}});
  CHECK(result.ended.starts_with("did not end: "));
}

TEST_CASE("a launch that no GPU takes is an error") {
  Turn turn;
  const auto module = Module::from_ptx(ptx());
  const Launch large{.kernel = "turn", .grid = {}, .block = {2048}};
  CHECK(error([&] { turn.gpu.launch(module, large, turn.out, turn.in, 0); }).find("2048") !=
        std::string::npos);
}

TEST_CASE("an instruction that is not known is named by its line, and other kernels are executed") {
  Turn turn;
  const auto module = Module::from_ptx(ptx());
  const Launch strange{.kernel = "strange", .grid = {}, .block = {}};
  CHECK_THROWS_AS(turn.gpu.launch(module, strange), Unsupported);
  const auto words = error([&] { turn.gpu.launch(module, strange); });
  CHECK(words.find("nosuch") != std::string::npos);
  CHECK(words.find("20") != std::string::npos);
  CHECK(turn.launch(module).clean());
}

TEST_CASE("what is no device code is an error when it is read") {
  CHECK(error([] { Module::from_ptx("no PTX at all"); }) != "");
  CHECK(error([] { Module::from_ptx(""); }) != "");
  CHECK_THROWS_AS(Module::from_ptx(ptx("bar.sync 0")), Error); // no semicolon
  CHECK_THROWS_AS(Module::from_fatbin({}), Unsupported);
  CHECK_THROWS_AS(Module::from_fatbin(bytes_of(counted())), Unsupported);
  const auto machine_code = code::fatbin_container(code::fatbin_entry(code::kElfKind, 90, "code"));
  CHECK(error([&] { Module::from_fatbin(machine_code); }).find("no PTX") != std::string::npos);
}

TEST_CASE("the PTX of a fat binary is executed") {
  const auto image = code::fatbin_of_ptx(ptx());
  CHECK(Turn().launch(Module::from_fatbin(image)).clean());
}

TEST_CASE("variables of a module are written and read by their name") {
  Turn turn;
  const auto module = Module::from_ptx(ptx());
  CHECK(numbers_of(turn.gpu.read(module, "factor")) == Numbers{1});
  turn.gpu.write(module, "factor", bytes_of({10}));
  turn.launch(module);
  CHECK(numbers_of(turn.gpu.read(turn.out, kBytes))[0] == 630);
  CHECK(error([&] { turn.gpu.write(module, "factors", bytes_of({10})); }) != "");
  CHECK(error([&] { turn.gpu.read(module, "factors"); }) != "");
  CHECK(error([&] { turn.gpu.write(module, "factor", bytes_of({1, 2})); }) != "");
}

TEST_CASE("a module whose variables do not fit is refused, each time, and nothing has changed") {
  std::string variables = ".global .align 4 .u32 first = 7;\n";
  for (int i = 0; i < 50; ++i)
    variables += ".global .align 4 .b8 huge" + std::to_string(i) + "[4000000000];\n";
  auto text = ptx();
  text.insert(text.find(".visible"), variables);
  const auto large = Module::from_ptx(text);
  const auto fits = Module::from_ptx(ptx());
  Gpu gpu;
  for (int i = 0; i < 2; ++i) CHECK_THROWS_AS((void)gpu.read(large, "first"), Error);
  const std::uint32_t factor = 3;
  gpu.write(fits, "factor", std::as_bytes(std::span(&factor, 1)));
  CHECK(gpu.read(fits, "factor").size() == 4);
  CHECK_THROWS_AS((void)gpu.read(large, "first"), Error);
}

TEST_CASE("a Gpu keeps what it needs of a module, and can be moved") {
  std::optional<Module> module = Module::from_ptx(ptx());
  Turn turn;
  turn.launch(*module);
  module.reset();
  Gpu moved = std::move(turn.gpu);
  CHECK(numbers_of(moved.read(turn.out, kBytes))[0] == 63);
  CHECK(moved.launch(Module::from_ptx(ptx()), kTurn, turn.out, turn.in, 0).clean());
}

TEST_CASE("different Gpus work at once, and have the same numbers") {
  const auto module = Module::from_ptx(ptx());
  constexpr int kAtOnce = 4;
  std::vector<std::uint64_t> requests(kAtOnce);
  std::vector<std::thread> threads;
  for (auto& number : requests)
    threads.emplace_back([&module, &number] {
      Turn turn({.threads = 1});
      for (int i = 0; i < 20; ++i) number += at(turn.launch(module), "shared_store_4")->requests;
    });
  for (auto& thread : threads) thread.join();
  CHECK(requests == std::vector<std::uint64_t>(kAtOnce, 40));
}

TEST_CASE("a seed draws another order of one and the same numbers") {
  const auto module = Module::from_ptx(ptx());
  Turn drawn({.seed = 77});
  const auto result = drawn.launch(module);
  CHECK(result.clean());
  CHECK(at(result, "shared_load_4")->wavefronts == 2);
  CHECK(numbers_of(drawn.gpu.read(drawn.out, kBytes))[0] == 63);
}

} // namespace course::emulated

// Bounds, alignment, initialisation, and the spaces of memory.
#include "device/emulator/decode/layout.hpp"
#include "device/emulator/test_run.hpp"

#include <doctest/doctest.h>

#include <numeric>

namespace course::emulator {
namespace {

using device::FindingKind;
using device::Observation;

struct Fixture : TestRun {
  Fixture() : TestRun("memory.ptx") {
    std::iota(numbers.begin(), numbers.end(), 0.0f);
    out = buffer("out", std::vector<float>(32), false);
    in = buffer("in", numbers);
  }
  std::string only_finding() const {
    REQUIRE(seen.findings.size() == 1);
    return device::spelled(seen.findings[0].message);
  }
  std::vector<float> numbers = std::vector<float>(32);
  device::Address out = 0, in = 0;
};

} // namespace

TEST_CASE_FIXTURE(Fixture, "a store past the end names the buffer and how far") {
  launch("past_the_end", {1}, {32}, 0, out, in).run();
  CHECK(only_finding() == "access_is(store 4, just_past_end(sized(out, 128)))");
  CHECK(seen.findings[0].kind == FindingKind::out_of_bounds);
  CHECK(seen.findings[0].thread == device::Dim3{31, 0, 0});
  CHECK(seen.findings[0].line == 7);
  CHECK(seen.findings[0].count == 1);
  CHECK(seen.status == Observation::Status::completed);
}

TEST_CASE_FIXTURE(Fixture, "a load before the start is found, and the other lanes go on") {
  launch("before_the_start", {1}, {32}, 0, out, in).run();
  CHECK(only_finding() == "access_is(load 4, before_start(4, sized(in, 128)))");
  CHECK(result<float>(0)[31] == 30.0f);
}

TEST_CASE("a program's own reads on behind an allocation, within its page, as on a GPU") {
  const std::string text =
      ".version 8.0\n.target sm_90\n.address_size 64\n"
      ".visible .entry behind(.param .u64 in, .param .u64 far, .param .u64 out)\n{\n"
      ".reg .b32 %r<4>; .reg .b64 %rd<8>;\n"
      "ld.param.u64 %rd0, [in]; ld.param.u64 %rd1, [far]; mov.u32 %r0, %tid.x;\n"
      "mul.wide.u32 %rd2, %r0, 4; add.s64 %rd3, %rd0, %rd2;\n"
      "add.s64 %rd4, %rd3, %rd1; ld.global.u32 %r1, [%rd4];\n"
      "ld.param.u64 %rd5, [out]; add.s64 %rd6, %rd5, %rd2;\n"
      "st.global.u32 [%rd6], %r1;\nret;\n}\n";
  struct Behind : TestRun {
    Behind(const std::string& ptx, std::uint64_t far, const Options& options) : TestRun(ptx) {
      const auto in = buffer("in", std::vector<int>(32, 5));
      const auto out = buffer("out", std::vector<int>(32), false);
      launch("behind", {1}, {32}, 0, in, far, out).run(options);
    }
  };
  const Behind near(text, 64, {.lenient = true});
  REQUIRE(near.seen.findings.size() == 1);
  CHECK(near.seen.findings[0].survived);
  CHECK(near.seen.findings[0].count == 16);
  CHECK(device::spelled(near.seen.findings[0].message) ==
        "survived(access_is(load 4, just_past_end(sized(in, 128))))");
  for (int i = 0; i < 32; ++i) CHECK(near.result<int>(1)[i] == (i < 16 ? 5 : 0));

  const Behind graded(text, 64, {});
  REQUIRE(graded.seen.findings.size() == 1);
  CHECK_FALSE(graded.seen.findings[0].survived);
  CHECK(graded.result<int>(1)[31] == -1);
  const Behind before(text, 0u - std::uint64_t{64}, {.lenient = true}); // before all that there is
  REQUIRE(before.seen.findings.size() == 1);
  CHECK_FALSE(before.seen.findings[0].survived);
}

TEST_CASE_FIXTURE(Fixture, "a misaligned load is found") {
  launch("misaligned", {1}, {16}, 0, out, in).run();
  CHECK(only_finding() == "is_misaligned(load 4, bytes_into(in, 2), 4)");
  CHECK(seen.findings[0].kind == FindingKind::misaligned);
}

TEST_CASE_FIXTURE(Fixture, "one shared array does not run into the next") {
  launch("shared_past_the_end", {1}, {32}, 0, out).run();
  REQUIRE(found(FindingKind::out_of_bounds));
  CHECK(findings().find("just_past_end(sized(first, 128))") != std::string::npos);
}

TEST_CASE(
    "what the system reserves of a block moves no array in the banks, and nobody asks for it") {
  Layout plain, with;
  with.reserve("system", 512);
  CHECK(with.bytes() == 0);
  for (Layout* each : {&plain, &with}) {
    each->add("first", 100, 4);
    each->add("second", 64, 16);
  }
  CHECK(with.bytes() == plain.bytes());
  for (std::size_t i = 0; i < 2; ++i) {
    const Array &array = with.arrays()[i + 1], &same = plain.arrays()[i];
    CHECK(array.hardware == same.hardware);
    CHECK(with.hardware_offset(array.begin + 4) == plain.hardware_offset(same.begin + 4));
    CHECK(with.array_on_hardware(array.hardware)->name == same.name);
  }
  CHECK(with.inside(with.array_at(0), 0, 16));
  CHECK(with.reserved_bytes() == 512);
  CHECK(plain.reserved_bytes() == 0);
}

TEST_CASE("of dynamic shared memory it is said what it is, and how much the launch gave") {
  Layout layout;
  layout.add("tile", 128, 4);
  layout.add("memory", 0, 16);
  layout.shape_last({4, {0}});
  layout.resize_last(64);
  const auto start = layout.arrays()[1].begin;
  CHECK(device::spelled(layout.describe(start + 64, 4)) ==
        "just_past_end(sized_dynamic(memory, 64))");
  CHECK(device::spelled(layout.describe(start + 72, 4)) ==
        "past_end(8, sized_dynamic(memory, 64))");
  CHECK(device::spelled(layout.describe(start + 60, 4)) == "element(memory[15], 60)");
  CHECK(device::spelled(layout.describe(128, 4)) == "just_past_end(sized(tile, 128))");
  layout.resize_last(34'572);
  CHECK(device::spelled(layout.describe(start + 36'000, 4)) ==
        "past_end(1428, sized_dynamic(memory, 34572))");
  Layout nameless;
  nameless.add("", 0, 16);
  nameless.resize_last(0);
  CHECK(device::spelled(nameless.describe(0, 4)) ==
        "just_past_end(sized_at_launch(dynamic_shared(), 0))");
}

TEST_CASE_FIXTURE(Fixture, "a null pointer is called one") {
  launch("copies", {1}, {32}, 0, out, device::Address{0}).run();
  CHECK(only_finding() == "goes_through(load 4, null_pointer())");
  CHECK(seen.findings[0].count == 32);
}

TEST_CASE_FIXTURE(Fixture, "what has been freed is not used") {
  const device::Address scratch = 0x11'0000'0000;
  job.plan.steps.push_back(device::Allocate{scratch, 128});
  job.plan.steps.push_back(device::Fill{scratch, std::byte{0}, 128});
  job.plan.steps.push_back(device::Free{scratch});
  launch("copies", {1}, {32}, 0, out, scratch).run();
  CHECK(seen.findings.at(0).kind == FindingKind::use_after_free);
}

TEST_CASE_FIXTURE(Fixture, "reading allocated memory before writing it is found") {
  const device::Address scratch = 0x11'0000'0000;
  job.plan.steps.push_back(device::Allocate{scratch, 128});
  launch("copies", {1}, {31}, 0, scratch, in);
  launch("copies", {1}, {32}, 0, out, scratch).run();
  CHECK(only_finding() == "unwritten(reads(element_of(memory_at(0x1100000000), 31, 124)))");
  CHECK(seen.findings[0].kind == FindingKind::uninitialised);
}

TEST_CASE("a sum that nothing has cleared is called by its name") {
  const device::Address sum = 0x11'0000'0000;
  TestRun run(
      ".version 9.0\n.target sm_90\n.address_size 64\n.visible .entry k(.param .u64 p) {\n"
      ".reg .b64 %rd<2>;\nld.param.u64 %rd1, [p];\nred.global.add.u32 [%rd1], 1;\nret;\n}\n");
  run.job.plan.steps.push_back(device::Allocate{sum, 4});
  run.launch("k", {1}, {1}, 0, sum).run();
  REQUIRE(!run.seen.findings.empty());
  CHECK(device::spelled(run.seen.findings[0].message) ==
        "unwritten(updates(memory_at(0x1100000000)))");
}

TEST_CASE("an exchange whose old value nobody wants reads nothing") {
  const device::Address word = 0x11'0000'0000;
  const auto findings_of = [](const std::string& then) {
    TestRun run(".version 9.0\n.target sm_90\n.address_size 64\n"
                ".visible .entry k(.param .u64 p) {\n.reg .b64 %rd<2>;\n.reg .b32 %r<2>;\n"
                "ld.param.u64 %rd1, [p];\natom.global.exch.b32 %r1, [%rd1], 1;\n" +
                then + "ret;\n}\n");
    run.job.plan.steps.push_back(device::Allocate{word, 8});
    run.launch("k", {1}, {1}, 0, word).run();
    return run.findings();
  };
  CHECK(findings_of("") == "");
  CHECK(findings_of("st.global.u32 [%rd1+4], %r1;\n").find("unwritten") != std::string::npos);
}

TEST_CASE_FIXTURE(Fixture, "constant memory is uploaded, read, and its replays counted") {
  device::Bytes bytes(128);
  std::memcpy(bytes.data(), numbers.data(), 128);
  job.plan.steps.push_back(device::SymbolUpload{0, "table", 0, bytes});
  launch("constants", {1}, {32}, 0, out, 2).run();
  CHECK(findings() == "");
  CHECK(result<float>(0)[5] == 10.0f);
  CHECK(counts("constant_load_4").replays == 15);
}

TEST_CASE_FIXTURE(Fixture, "variables of a module start as they say in each job") {
  for (int i = 0; i < 2; ++i) {
    Fixture fresh;
    fresh.launch("counts_module", {1}, {32}, 0, fresh.out).run();
    CHECK(fresh.findings() == "");
    CHECK(fresh.result<int>(0)[0] == 37);
  }
}

TEST_CASE("local arrays are each thread's own, and bounded") {
  TestRun run("memory.ptx");
  std::vector<int> in(32);
  std::iota(in.begin(), in.end(), 0);
  const auto out = run.buffer("out", std::vector<int>(32), false);
  const auto from = run.buffer("in", in);
  run.launch("local_array", {1}, {32}, 0, out, from, 16).run();
  CHECK(run.findings() == "");
  for (int i = 0; i < 32; ++i) CHECK(run.result<int>(0)[i] == i * (i % 16));

  TestRun far("memory.ptx");
  const auto far_out = far.buffer("out", std::vector<int>(32), false);
  const auto far_in = far.buffer("in", in);
  far.launch("local_array", {1}, {32}, 0, far_out, far_in, 1000).run();
  CHECK(far.found(FindingKind::out_of_bounds));
  for (int i = 0; i < 16; ++i) CHECK(far.result<int>(0)[i] == i * i);
}

TEST_CASE("a generic pointer reaches shared and global memory in one instruction") {
  TestRun run("memory.ptx");
  std::vector<int> in(32);
  std::iota(in.begin(), in.end(), 100);
  const auto out = run.buffer("out", std::vector<int>(32), false);
  const auto from = run.buffer("in", in);
  run.launch("through_generic", {1}, {32}, 0, out, from, 0).run();
  CHECK(run.findings() == "");
  for (int i = 0; i < 32; ++i) CHECK(run.result<int>(0)[i] == (i % 2 ? i : 100 + i));
}

// 36,364 wavefronts of 2,188 such requests on an H200, and 7,192 of 2,049: lanes take turns, though
// 1 is added and nobody uses the result.
TEST_CASE("an atomic through a generic pointer takes a pass for each lane in the fullest bank") {
  TestRun run("memory.ptx");
  const auto out = run.buffer("out", std::vector<int>(32), false);
  const auto global = run.buffer("global", std::vector<int>(1024));
  run.launch("adds_through_generic", {1}, {32}, 0, out, global, 20).run();
  CHECK(run.findings() == "");
  for (int i = 0; i < 32; ++i) {
    CHECK(run.result<int>(0)[i] == (i < 20 ? 1 : 0));
    CHECK(run.result<int>(1)[32 * i] == (i < 20 ? 0 : 1));
  }
  CHECK(run.counts("red_shared_add_u32_constant_1").wavefronts == 20);
  CHECK(run.counts("red_shared_add_u32_constant_1").ideal == 1);
  CHECK(run.counts("red_global_add_u32_constant_1").sectors == 12);
}

TEST_CASE("printf prints in the order of blocks, assert and trap end the kernel") {
  TestRun run("memory.ptx");
  run.launch("prints", {2}, {32}, 0, 3).run();
  CHECK(run.seen.printed == "block 0 thread 0:  1.50 ok\nblock 0 thread 1:  1.50 ok\n"
                            "block 1 thread 0:  1.50 ok\nblock 1 thread 1:  1.50 ok\n");

  TestRun to_width("memory.ptx");
  to_width.launch("prints_to_width", {1}, {1}, 0, std::uint64_t{0}).run();
  CHECK(to_width.seen.printed == "[   42|7   |3.14|2.2     |all|(nil)]\n");

  TestRun asserting("memory.ptx");
  asserting.launch("asserts", {1}, {32}, 0, 20).run();
  CHECK(asserting.seen.status == Observation::Status::failed);
  CHECK(asserting.why().find("assertion_failed(threadIdx.x < n)") != std::string::npos);
  CHECK(asserting.seen.findings.at(0).thread == device::Dim3{20, 0, 0});

  TestRun trapping("memory.ptx");
  const auto out = trapping.buffer("out", std::vector<int>(32, 3));
  trapping.launch("traps", {1}, {32}, 0, out).run();
  CHECK(trapping.found(FindingKind::trap));
}

TEST_CASE_FIXTURE(Fixture, "a launch that the device does not allow is refused with the reason") {
  launch("copies", {1}, {1025}, 0, out, in).run();
  CHECK(seen.status == Observation::Status::failed);
  CHECK(why().find("too_many_threads(copies, 1025, 1024, 1024, 1024, 64)") != std::string::npos);
}

TEST_CASE_FIXTURE(Fixture, "more shared memory than a block can have is refused") {
  launch("copies", {1}, {32}, 232449, out, in).run();
  CHECK(seen.status == Observation::Status::failed);
  CHECK(why().find("too_much_shared(copies, 232449, ") != std::string::npos);
}

TEST_CASE_FIXTURE(Fixture, "plans that make no sense fail with a sentence") {
  job.plan.steps.push_back(device::Upload{out + 100, device::Bytes(100)});
  run();
  CHECK(why().find("step_is(an_upload(), 100, ") == 0);

  Fixture kernel;
  kernel.launch("no_such_kernel", {1}, {32}, 0).run();
  CHECK(kernel.seen.status == Observation::Status::unsupported);

  Fixture arguments;
  arguments.launch("copies", {1}, {32}, 0, arguments.out).run();
  CHECK(arguments.why().find("too_few_arguments(copies, 8, ") != std::string::npos);

  Fixture overlap;
  overlap.job.plan.steps.push_back(device::Allocate{overlap.in + 4, 8});
  overlap.run();
  CHECK(overlap.why().find("plan_allocates_over(memory(), in)") != std::string::npos);

  Fixture huge;
  huge.job.plan.steps.push_back(device::Allocate{1ull << 40, ~0ull});
  huge.run();
  CHECK(huge.seen.status == Observation::Status::failed);
}

TEST_CASE("text that is no PTX is an error of the module") {
  TestRun run(std::string("this is not PTX"));
  run.launch("k", {1}, {32}, 0).run();
  CHECK(run.seen.status == Observation::Status::unsupported);
  CHECK(run.why().find("of the PTX cannot be read: ") != std::string::npos);
}

} // namespace course::emulator

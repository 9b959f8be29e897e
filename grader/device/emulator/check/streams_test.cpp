// Races between the streams of a program: found where nothing orders two pieces of work, and only
// there. data/grid.cu has the kernels: `produce` writes 7 to each word, `consume` copies.
// Long, because all programs are made of the same few launches.
#include "device/emulator/check/stream_order.hpp"
#include "device/emulator/test_run.hpp"

#include <doctest/doctest.h>

namespace course::emulator {
namespace {

using device::FindingKind;
using What = device::StreamCall::What;

constexpr std::uint32_t kDefault = 0, kOne = 1, kTwo = 2, kEvent = 1, kOtherEvent = 2;

// A program with buffers of 256 words, whose launches have 4 blocks of 64 threads.
struct Program : TestRun {
  Program() : TestRun("grid.ptx") {
    out = buffer("out", std::vector<int>(256));
    between = buffer("between", std::vector<int>(256));
  }
  explicit Program(std::initializer_list<What> streams) : Program() {
    std::uint32_t number = 0;
    for (const What made : streams) call(made, ++number);
  }
  Program& call(What what, std::uint32_t stream = 0, std::uint32_t event = 0) {
    job.plan.steps.push_back(device::StreamCall{what, stream, event});
    return *this;
  }
  Program& produce(std::uint32_t stream, device::Address to = 0) {
    call(What::use, stream).launch("produce", {4}, {64}, 0, to ? to : between);
    return *this;
  }
  Program& consume(std::uint32_t stream) {
    call(What::use, stream).launch("consume", {4}, {64}, 0, out, between);
    return *this;
  }
  Program& fill(std::uint32_t stream, device::Address at, std::uint64_t size = 1024) {
    call(What::use, stream);
    job.plan.steps.push_back(device::Fill{at, std::byte{1}, size});
    return *this;
  }

  device::Address out, between;
};

const std::initializer_list<What> kTwoStreams = {What::create_blocking, What::create_blocking};
const std::initializer_list<What> kAside = {What::create_non_blocking};

} // namespace

TEST_CASE("a launch that may begin early waits for the one before it, or races with it") {
  struct Case {
    const char *first, *second;
    bool early;
    int races;
  };
  for (const Case& each : {Case{"produce_early", "consume_behind", true, 0},
                           {"produce_early", "consume_behind_one", true, 0},
                           {"produce_early", "consume", false, 0},
                           {"produce", "consume_behind", true, 0},
                           {"produce", "consume", true, 1}, // which lets it begin at its end
                           {"produce_early", "consume", true, 1},
                           {"produce_early", "consume_before", true, 1},
                           {"produce_early", "consume_behind_some", true, 1}}) {
    CAPTURE(each.first);
    CAPTURE(each.second);
    for (const std::uint32_t stream : {kDefault, kOne}) {
      Program program(kTwoStreams);
      program.call(What::use, stream).launch(each.first, {4}, {64}, 0, program.between);
      if (each.early) program.call(What::begins_early, stream);
      program.launch(each.second, {4}, {64}, 0, program.out, program.between).run({2});
      CHECK(program.why() == "");
      CHECK(std::ssize(program.seen.findings) == each.races);
      for (const device::Finding& race : program.seen.findings) {
        CHECK(race.kind == FindingKind::race);
        CHECK(race.line != 0);
        CHECK(device::spelled(race.message).find("no_order_early(") != std::string::npos);
      }
    }
  }
}

TEST_CASE("what is behind both of two launches that overlap is ordered, and so is what is before") {
  for (const bool between : {true, false}) {
    Program program;
    program.produce(kDefault); // before the first
    program.launch("produce_early", {4}, {64}, 0, program.out);
    program.call(What::begins_early)
        .launch("consume_before", {4}, {64}, 0, program.between,
                program.between); // nothing of the first
    if (between) program.call(What::host_waits, kDefault).call(What::begins_early);
    program.consume(kDefault).run();
    CHECK(program.findings() == "");
  }
}

TEST_CASE("of launches in a row that may begin early, each waits for those that the last one did") {
  struct Case {
    const char *first, *second, *third;
    int races;
  };
  for (const Case& each : {Case{"produce", "only_waits", "consume_behind", 0},
                           {"produce_early", "only_waits", "consume_behind", 0},
                           {"produce", "only_waits", "consume", 0},
                           {"produce", "count_in", "consume_behind", 1},
                           {"produce_early", "count_in", "consume_behind", 1}}) {
    CAPTURE(each.first);
    CAPTURE(each.second);
    CAPTURE(each.third);
    Program program(kTwoStreams);
    const auto other = program.buffer("other", std::vector<int>(256));
    const bool counts = each.second == std::string("count_in");
    program.call(What::use, kOne).launch(each.first, {4}, {64}, 0, program.between);
    program.call(What::begins_early, kOne);
    if (counts)
      program.launch(each.second, {4}, {64}, 0, other);
    else
      program.launch(each.second, {4}, {64}, 0);
    program.call(What::begins_early, kOne);
    program.launch(each.third, {4}, {64}, 0, program.out, program.between);
    program.consume(kOne).call(What::begins_early, kOne); // behind all
    program.launch("consume_behind", {4}, {64}, 0, program.out, program.between).run({2});
    CHECK(program.why() == "");
    CHECK_MESSAGE(std::ssize(program.seen.findings) == each.races, program.findings());
    for (const device::Finding& race : program.seen.findings)
      CHECK(device::spelled(race.message).find("no_order_early(") != std::string::npos);
  }
}

TEST_CASE("two launches of two streams without an event race, and both are named") {
  Program program(kTwoStreams);
  program.produce(kOne).consume(kTwo).run({2});
  REQUIRE(program.seen.findings.size() == 1);
  const device::Finding& race = program.seen.findings[0];
  CHECK(race.kind == FindingKind::race);
  CHECK(race.meeting == device::Meeting::between_streams);
  CHECK(race.kernel == "consume");
  CHECK(race.line == 93);
  CHECK(race.other_line == 90);
  CHECK(race.count == 256);
  CHECK(device::spelled(race.message) ==
        "meets(reads(element_of(between, 0, 0)), stream_writes(produce), no_order_event())");
  CHECK(program.result<int>(0) == std::vector<int>(256, 7)); // all the same: in order of the calls
}

TEST_CASE("an event between two launches orders them, and those before and behind") {
  Program program(kTwoStreams);
  program.produce(kOne).call(What::record, kOne, kEvent).call(What::wait, kTwo, kEvent);
  program.consume(kTwo).run();
  CHECK(program.findings() == "");

  Program behind(kTwoStreams); // the other way round: the writer waits for the reader
  behind.consume(kTwo).call(What::record, kTwo, kEvent).call(What::wait, kOne, kEvent);
  behind.produce(kOne).produce(kOne).run();
  CHECK(behind.findings() == "");
}

TEST_CASE("an event that is recorded too early, or waited for too late, orders nothing") {
  Program early(kTwoStreams);
  early.call(What::record, kOne, kEvent).produce(kOne).call(What::wait, kTwo, kEvent);
  CHECK(early.consume(kTwo).run().findings.size() == 1);
  Program late(kTwoStreams);
  late.produce(kOne).call(What::record, kOne, kEvent).consume(kTwo);
  CHECK(late.call(What::wait, kTwo, kEvent).run().findings.size() == 1);
  Program never(kTwoStreams);
  never.produce(kOne).call(What::wait, kTwo, kOtherEvent);
  CHECK(never.consume(kTwo).run().findings.size() == 1);
}

TEST_CASE("events pass on what their stream has waited for") {
  Program program({What::create_blocking, What::create_blocking, What::create_blocking});
  program.produce(kOne).call(What::record, kOne, kEvent).call(What::wait, 3, kEvent);
  program.call(What::record, 3, kOtherEvent).call(What::wait, kTwo, kOtherEvent);
  CHECK(program.consume(kTwo).run().findings.empty());
}

TEST_CASE("a host that waits in between orders streams") {
  for (const What wait : {What::host_waits, What::host_waits_event, What::host_waits_for_all}) {
    Program program(kTwoStreams);
    program.produce(kOne).call(What::record, kOne, kEvent).call(wait, kOne, kEvent);
    CHECK(program.consume(kTwo).run().findings.empty());
  }
  Program other(kTwoStreams); // it waits for the stream that has nothing to do with it
  other.produce(kOne).call(What::host_waits, kTwo);
  CHECK(other.consume(kTwo).run().findings.size() == 1);
}

TEST_CASE("the default stream is ordered with streams that block, and with no others") {
  Program blocking(kTwoStreams);
  CHECK(blocking.produce(kOne).consume(kDefault).produce(kTwo).run().findings.empty());
  Program aside(kAside);
  CHECK(aside.produce(kDefault).consume(kOne).run().findings.size() == 1);
  Program before(kAside);
  CHECK(before.produce(kOne).consume(kDefault).run().findings.size() == 1);
  Program waited(kAside);
  waited.produce(kDefault).call(What::record, kDefault, kEvent).call(What::wait, kOne, kEvent);
  CHECK(waited.consume(kOne).run().findings.empty());
}

TEST_CASE("launches of one stream, and readers of several, are no race") {
  Program one(kTwoStreams);
  CHECK(one.produce(kOne).consume(kOne).produce(kOne).run().findings.empty());
  Program readers(kTwoStreams);
  readers.call(What::use, kOne).launch("consume", {4}, {64}, 0, readers.out, readers.between);
  const auto other = readers.buffer("other", std::vector<int>(256));
  readers.call(What::use, kTwo).launch("consume", {4}, {64}, 0, other, readers.between);
  CHECK(readers.run().findings.empty());
  Program atomics(kTwoStreams);
  atomics.call(What::use, kOne).launch("count_in", {4}, {64}, 0, atomics.out);
  atomics.call(What::use, kTwo).launch("count_in", {4}, {64}, 0, atomics.out);
  CHECK(atomics.run().findings.empty());
  CHECK(atomics.result<int>(0)[0] == 512);
  atomics.consume(kOne); // stores plainly where the other stream adds
  CHECK(atomics.run().findings.size() == 1);
}

TEST_CASE("an earlier work that a later one of its stream hides is not forgotten") {
  Program program(kTwoStreams); // stream one writes, then reads; only the writing is in order
  program.produce(kOne).call(What::record, kOne, kEvent).consume(kOne);
  program.call(What::wait, kTwo, kEvent);
  const auto other = program.buffer("other", std::vector<int>(256));
  program.call(What::use, kTwo).launch("consume", {4}, {64}, 0, other, program.between);
  CHECK(program.run().findings.empty());
  program.produce(kTwo); // and writes what stream one may still be reading
  REQUIRE(program.run().findings.size() == 1);
  CHECK(device::spelled(program.seen.findings[0].message).find("stream_reads(consume)") !=
        std::string::npos);
}

TEST_CASE("bytes of one word that two streams write are no race") {
  Program program(kTwoStreams);
  program.call(What::use, kOne).launch("mark_odd", {1}, {64}, 0, program.out);
  program.call(What::use, kTwo).launch("mark_even", {1}, {64}, 0, program.out);
  CHECK(program.run().findings.empty());
  program.fill(kOne, program.out + 9, 5);
  REQUIRE(program.run().findings.size() == 1);
  CHECK(program.seen.findings[0].kernel == "mark_even");
  CHECK(program.seen.findings[0].line == 102);
}

TEST_CASE("copies and fills race with launches, and with each other") {
  Program filled(kTwoStreams);
  REQUIRE(filled.produce(kOne).fill(kTwo, filled.between).run().findings.size() == 1);
  const device::Finding& race = filled.seen.findings[0];
  CHECK(race.kernel == "produce");
  CHECK(race.line == 90);
  CHECK(race.count == 256);
  CHECK(device::spelled(race.message) ==
        "meets(writes(element_of(between, 0, 0)), stream_writes(a_fill()), no_order_event())");
  Program read(kTwoStreams);
  REQUIRE(read.fill(kTwo, read.between).consume(kOne).run().findings.size() == 1);
  CHECK(read.seen.findings[0].line == 93);
  CHECK(device::spelled(read.seen.findings[0].message).find("stream_writes(a_fill())") !=
        std::string::npos);
  Program copies(kTwoStreams);
  copies.fill(kOne, copies.between).call(What::use, kTwo);
  copies.job.plan.steps.push_back(device::Copy{copies.out, copies.between + 512, 512});
  REQUIRE(copies.run().findings.size() == 1);
  CHECK(copies.seen.findings[0].kernel == "a fill");
  CHECK(copies.seen.findings[0].count == 128);
}

TEST_CASE("what streams race over does not depend on the number of cores, nor do the counts") {
  Program program(kTwoStreams);
  program.produce(kOne).consume(kTwo).produce(kTwo).produce(kOne, program.out).run({1});
  const auto alone = program.findings();
  const auto instructions = program.seen.launches.at(1).instructions;
  CHECK(program.seen.findings.size() >= 3);
  program.run({7});
  CHECK(program.findings() == alone);
  CHECK(program.seen.launches.at(1).instructions == instructions);
  program.run({7, false});
  CHECK(program.findings() == "");
}

TEST_CASE("freed memory takes with it what streams did there") {
  Program program(kTwoStreams);
  constexpr device::Address kScratch = 0x20'0000'0000;
  for (int round = 0; round < 2; ++round) {
    program.job.plan.steps.push_back(device::Allocate{kScratch, 1024});
    program.produce(round == 0 ? kOne : kTwo, kScratch);
    program.job.plan.steps.push_back(device::Free{kScratch});
  }
  CHECK(program.run().findings.empty());
}

TEST_CASE("of a launch that waits for one of another stream it is said that this comes later") {
  constexpr const char* kWaits = R"(.version 9.0
.target sm_90
.address_size 64
.visible .entry waits(.param .u64 flag)
{
  .reg .b64 %rd<2>;
  .reg .b32 %r<2>;
  .reg .pred %p<2>;
  ld.param.u64 %rd1, [flag];
again:
  ld.volatile.global.u32 %r1, [%rd1];
  setp.eq.u32 %p1, %r1, 0;
  @%p1 bra again;
  ret;
}
.visible .entry raises(.param .u64 flag)
{
  .reg .b64 %rd<2>;
  ld.param.u64 %rd1, [flag];
  st.volatile.global.u32 [%rd1], 1;
  ret;
}
)";
  for (const bool streams : {false, true}) {
    TestRun run(kWaits);
    run.job.instruction_budget = 10'000;
    const auto flag = run.buffer("flag", std::vector<int>(1));
    const auto call = [&](What what, std::uint32_t stream) {
      run.job.plan.steps.push_back(device::StreamCall{what, stream, 0});
    };
    if (streams) call(What::create_blocking, kOne), call(What::create_blocking, kTwo);
    call(What::use, streams ? kOne : kDefault);
    run.launch("waits", {1}, {1}, 0, flag);
    call(What::use, streams ? kTwo : kDefault);
    run.launch("raises", {1}, {1}, 0, flag).run();
    REQUIRE(run.found(FindingKind::budget));
    const std::string said = device::spelled(run.seen.findings.at(0).message);
    CHECK((said.find("before_other_streams(still_running(") == 0) == streams);
  }
}

TEST_CASE("who acquires what a launch of another stream has released is behind that launch") {
  // Kernels of data/liberties_launches.cu, each in a stream of its own.
  const auto races = [](std::initializer_list<const char*> kernels) {
    TestRun run("liberties_launches.ptx");
    const auto out = run.buffer("out", std::vector<int>(1));
    const auto state = run.buffer("state", std::vector<int>(4));
    for (std::uint32_t stream = 1; stream <= kernels.size(); ++stream)
      run.job.plan.steps.emplace_back(device::StreamCall{What::create_blocking, stream, 0});
    std::uint32_t stream = 0;
    for (const char* kernel : kernels) {
      run.job.plan.steps.emplace_back(device::StreamCall{What::use, ++stream, 0});
      run.launch(kernel, {1}, {32}, 0, out, state);
    }
    run.run();
    CHECK(run.why() == "");
    CHECK(run.result<int>(0)[0] == 7);
    return run.found(FindingKind::race);
  };
  CHECK_FALSE(races({"launches_flag_right", "launches_flag_after_right"}));
  CHECK_FALSE(races({"launches_publish_right", "launches_publish_after_right"}));
  CHECK(races({"launches_publish_wrong", "launches_publish_after_wrong"}));
  CHECK_FALSE(races({"launches_flag_right", "passes_on", "takes_over"}));
  CHECK(races({"launches_flag_right", "passes_nothing_on", "takes_over"}));
}

TEST_CASE("what a launch has acquired comes before all that comes after it") {
  // The stream of the last launch, which reads what the first one wrote.
  struct Case {
    const char* how;
    bool acquires, event;
    std::uint32_t stream;
    bool race;
  };
  for (const Case& each : {Case{"its own stream", true, false, kTwo, false},
                           {"an event, or an edge of a graph", true, true, 3, false},
                           {"nothing", true, false, 3, true},
                           {"its own stream, which has acquired nothing", false, false, kTwo, true},
                           {"an event of it", false, true, 3, true}}) {
    CAPTURE(std::string(each.how));
    Program program({What::create_blocking, What::create_blocking, What::create_blocking});
    const auto flags = program.buffer("flags", std::vector<int>{0, 0, 1});
    program.call(What::use, kOne).launch("publish", {1}, {64}, 0, program.between, flags);
    program.call(What::use, kTwo);
    program.launch("relay", {1}, {32}, 0, flags + (each.acquires ? 0 : 8), flags + 4);
    if (each.event) program.call(What::record, kTwo, kEvent).call(What::wait, each.stream, kEvent);
    program.call(What::use, each.stream);
    program.launch("consume", {1}, {64}, 0, program.out, program.between).run();
    CHECK(program.why() == "");
    CHECK_MESSAGE(program.found(FindingKind::race) == each.race, program.findings());
  }
}

TEST_CASE("what launches hand on comes through any number of them") {
  for (const bool whole : {true, false}) {
    CAPTURE(whole);
    Program program({What::create_blocking, What::create_blocking, What::create_blocking,
                     What::create_blocking, What::create_blocking});
    const auto flags = program.buffer("flags", std::vector<int>{0, 0, 0, 0, 1});
    const auto flag = [&](std::uint64_t number) { return flags + 4 * number; };
    program.call(What::use, kOne).launch("publish", {1}, {64}, 0, program.between, flag(0));
    program.call(What::use, kTwo).launch("relay", {1}, {32}, 0, flag(0), flag(1));
    program.call(What::use, 3).launch("relay", {1}, {32}, 0, flag(whole ? 1 : 4), flag(2));
    program.call(What::use, 4).launch("relay", {1}, {32}, 0, flag(2), flag(3));
    program.call(What::use, 5);
    program.launch("take", {1}, {64}, 0, program.out, program.between, flag(3)).run();
    CHECK(program.why() == "");
    CHECK_MESSAGE(program.found(FindingKind::race) == !whole, program.findings());
  }
}

TEST_CASE("who acquires what a launch has released is behind all that came before that one") {
  for (const bool event : {true, false}) {
    CAPTURE(event);
    Program program({What::create_blocking, What::create_blocking, What::create_blocking});
    const auto flags = program.buffer("flags", std::vector<int>{0, 1});
    program.produce(kOne);
    if (event) program.call(What::record, kOne, kEvent).call(What::wait, kTwo, kEvent);
    program.call(What::use, kTwo).launch("relay", {1}, {32}, 0, flags + 4, flags);
    program.call(What::use, 3);
    program.launch("take", {1}, {64}, 0, program.out, program.between, flags).run();
    CHECK(program.why() == "");
    CHECK_MESSAGE(program.found(FindingKind::race) == !event, program.findings());
  }
}

TEST_CASE("clocks of streams") {
  StreamOrder order;
  const auto call = [&](What what, std::uint32_t stream = 0, std::uint32_t event = 0) {
    order.apply({what, stream, event});
  };
  CHECK_FALSE(order.concurrent());
  call(What::create_blocking, 1);
  CHECK_FALSE(order.concurrent()); // it and the default stream are always ordered
  call(What::create_blocking, 2);
  CHECK(order.concurrent());
  call(What::use, 1);
  CHECK(order.begin().number == 1);
  CHECK(order.begin().number == 2);
  call(What::record, 1, 5);
  CHECK(order.begin().number == 3);
  call(What::use, 2);
  order.begin();
  CHECK(order.known(1) == 0);
  call(What::wait, 2, 5);
  order.begin();
  CHECK(order.known(1) == 2);
  call(What::host_waits, 1);
  CHECK_FALSE(order.take_settled()); // stream 2 has work that nobody has waited for
  call(What::host_waits, 2);
  CHECK(order.take_settled());
  CHECK_FALSE(order.take_settled());
}

TEST_CASE("an upload to constant memory races with a launch of another stream that reads it") {
  constexpr const char* kReads = R"(.version 9.0
.target sm_90
.address_size 64
.const .align 4 .b8 table[16];
.visible .entry reads(.param .u64 out)
{
  .reg .b64 %rd<2>;
  .reg .b32 %r<2>;
  ld.param.u64 %rd1, [out];
  ld.const.u32 %r1, [table+4];
  st.global.u32 [%rd1], %r1;
  ret;
}
)";
  for (const bool waits : {false, true}) {
    for (const bool upload_first : {false, true}) {
      CAPTURE(waits);
      CAPTURE(upload_first);
      TestRun run(kReads);
      const auto out = run.buffer("out", std::vector<int>(1));
      const auto call = [&](What what, std::uint32_t stream, std::uint32_t event = 0) {
        run.job.plan.steps.push_back(device::StreamCall{what, stream, event});
      };
      call(What::create_non_blocking, kOne);
      const auto upload = [&] {
        call(What::use, kOne);
        run.job.plan.steps.push_back(device::SymbolUpload{0, "table", 0, device::Bytes(16)});
      };
      if (upload_first) {
        upload();
        if (waits) call(What::host_waits, kOne);
      }
      call(What::use, kDefault);
      run.launch("reads", {1}, {1}, 0, out);
      if (!upload_first) {
        if (waits) call(What::host_waits, kDefault);
        upload();
      }
      run.run();
      CHECK(run.why() == "");
      CHECK(run.found(FindingKind::race) == !waits);
    }
  }
}

} // namespace course::emulator

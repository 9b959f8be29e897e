// Launches that nothing orders, executed together: more than two, with copies among them,
// cooperative ones, and in memory that host code has as well. data/liberties_launches.cu has the
// kernels; liberties_test.cpp has two launches alone.
#include "device/emulator/execute/liberty_checks.hpp"
#include "device/emulator/test_run.hpp"
#include "device/manners.hpp"

#include <doctest/doctest.h>

#include <set>
#include <utility>

namespace course::emulator {
namespace {

using What = device::StreamCall::What;
using device::Order;

const std::uint64_t kOrders = seeds() * device::kManners;

// A program of three streams. `out` and `state` have 1,024 words of 0.
struct Program : TestRun {
  explicit Program(std::string mended = "")
      : TestRun("liberties_launches.ptx"), twin(std::move(mended)) {
    out = buffer("out", std::vector<int>(1024));
    state = buffer("state", std::vector<int>(1024));
    for (const std::uint32_t stream : {1u, 2u, 3u}) call(What::create_non_blocking, stream);
  }
  Program& call(What what, std::uint32_t stream = 0, std::uint32_t event = 0) {
    job.plan.steps.emplace_back(device::StreamCall{what, stream, event});
    return *this;
  }
  Program& in(std::uint32_t stream, const std::string& kernel) {
    return in(stream, kernel, out, state);
  }
  template <typename... Arguments>
  Program& in(std::uint32_t stream, const std::string& kernel, Arguments... arguments) {
    call(What::use, stream).launch(kernel, {4}, {64}, 0, arguments...);
    return *this;
  }
  Program& cooperative(std::uint32_t stream, const std::string& kernel) {
    in(stream, kernel);
    std::get<device::Launch>(job.plan.steps.back()).cooperative = true;
    return *this;
  }
  Program& copy(std::uint32_t stream, device::Address to, device::Address from) {
    call(What::use, stream).job.plan.steps.emplace_back(device::Copy{to, from, 4});
    return *this;
  }
  Program& fill(std::uint32_t stream, device::Address at) {
    call(What::use, stream).job.plan.steps.emplace_back(device::Fill{at, std::byte{1}, 4});
    return *this;
  }
  Program& upload(std::uint32_t stream, device::Address to) {
    call(What::use, stream).job.plan.steps.emplace_back(device::Upload{to, device::Bytes(4)});
    return *this;
  }
  Program& upload_step(std::uint32_t stream, int value) {
    device::Bytes bytes(sizeof value);
    std::memcpy(bytes.data(), &value, sizeof value);
    call(What::use, stream);
    job.plan.steps.emplace_back(device::SymbolUpload{0, "step", 0, std::move(bytes)});
    return *this;
  }
  // Memory of its own, behind all buffers.
  Program& allocate(std::uint32_t stream, device::Address at) {
    call(What::use, stream).job.plan.steps.emplace_back(device::Allocate{at, 4096, true});
    return *this;
  }
  Program& free(std::uint32_t stream, device::Address at, bool in_stream = true) {
    call(What::use, stream).job.plan.steps.emplace_back(device::Free{at, in_stream});
    return *this;
  }
  // What is in a word of `out`, where all is well otherwise; else -1.
  int after(const Order& order, std::size_t word = 0) {
    job.order = order;
    job.instruction_budget = 20'000'000;
    run();
    CHECK_MESSAGE(findings() == "", findings());
    return why().empty() ? result<int>(0)[word] : -1;
  }

  std::string twin;
  device::Address out, state;
};

constexpr device::Address kOwn = 0x20'0000'0000, kOwnToo = 0x20'1000'0000;

// Each has a wrong twin and a mended one.
using Build = void (*)(Program&);
struct Pair {
  const char* name;
  int right;
  Build build;
};

constexpr Pair kPairs[] = {
    {"three that add", 3,
     [](Program& p) { p.in(1, "adds" + p.twin).in(2, "adds" + p.twin).in(3, "adds" + p.twin); }},
    {"one between that meets both, and harms neither", 2,
     [](Program& p) {
       p.in(1, "counts_and_adds" + p.twin).in(3, "counts").in(2, "counts_and_adds" + p.twin);
     }},
    {"one before that meets the first", 2,
     [](Program& p) {
       p.in(3, "counts").in(1, "counts_and_adds" + p.twin).in(2, "counts_and_adds" + p.twin);
     }},
    {"one between that meets nobody", 2,
     [](Program& p) {
       p.in(1, "adds" + p.twin).in(3, "counts", p.out + 64, p.state + 64).in(2, "adds" + p.twin);
     }},
    {"several behind each other before it", 2,
     [](Program& p) {
       p.in(1, "counts").in(1, "counts").in(1, "counts_and_adds" + p.twin);
       p.in(2, "counts_and_adds" + p.twin);
     }},
    {"copies and fills of other words between", 2,
     [](Program& p) {
       p.in(1, "adds" + p.twin).copy(1, p.out + 256, p.out + 260).fill(3, p.out + 512);
       p.upload(2, p.out + 768).in(2, "adds" + p.twin);
     }},
    {"cooperative launches", 2,
     [](Program& p) {
       p.cooperative(1, "adds_in_grid" + p.twin).in(2, "counts_and_adds" + p.twin);
     }},
    {"two cooperative launches and one between", 3,
     [](Program& p) {
       p.cooperative(1, "adds_in_grid" + p.twin).in(2, "adds" + p.twin);
       p.cooperative(3, "adds_in_grid" + p.twin);
     }},
    {"memory allocated between", 2,
     [](Program& p) { p.in(1, "adds" + p.twin).allocate(3, kOwn).in(2, "adds" + p.twin); }},
    {"memory freed between, in which the first has counted", 2,
     [](Program& p) {
       p.allocate(1, kOwn).fill(1, kOwn).in(1, "counts_and_adds" + p.twin, p.out, kOwn);
       p.free(1, kOwn).in(2, "counts_and_adds" + p.twin);
     }},
    {"memory of each, from its stream and back", 3,
     [](Program& p) {
       for (const std::uint32_t stream : {1u, 2u, 3u}) {
         const device::Address at = stream == 2 ? kOwnToo : kOwn + stream * 0x10'0000;
         p.allocate(stream, at).fill(stream, at);
         p.in(stream, "counts_and_adds" + p.twin, p.out, at).free(stream, at);
       }
     }},
    {"constants of the first changed between", 4,
     [](Program& p) {
       p.upload_step(1, 1).in(1, "adds_step" + p.twin).upload_step(1, 2);
       p.in(2, "adds" + p.twin).in(1, "adds_step" + p.twin);
     }},
    {"a kernel between that allocates, and meets nobody", 2,
     [](Program& p) { p.in(1, "adds" + p.twin).in(3, "counts_on_heap").in(2, "adds" + p.twin); }},
    {"kernels that have allocated, before", 2,
     [](Program& p) { p.in(1, "counts_on_heap").in(1, "adds" + p.twin).in(2, "adds" + p.twin); }}};

} // namespace

TEST_CASE("an addition that gets lost among launches fails in one of three orders") {
  for (const Pair& pair : kPairs) {
    CAPTURE(std::string(pair.name));
    for (std::uint64_t seed = 0; seed < kOrders; seed += device::kManners) {
      CAPTURE(seed);
      bool failed = false;
      for (std::uint64_t i = 0; i < device::kManners; ++i) {
        Program program("_wrong");
        pair.build(program);
        failed = program.after({Order::Kind::at_liberty, seed + i}) != pair.right || failed;
      }
      CHECK(failed);
    }
  }
}

TEST_CASE("its mended twin is right, and silent, in each order") {
  for (const Pair& pair : kPairs) {
    CAPTURE(std::string(pair.name));
    for (std::uint64_t seed = 0; seed < kOrders; ++seed) {
      CAPTURE(seed);
      Program program("_right");
      pair.build(program);
      CHECK(program.after({Order::Kind::at_liberty, seed}) == pair.right);
    }
  }
}

TEST_CASE("in the order of the calls both are right") {
  for (const Pair& pair : kPairs) {
    for (const std::string twin : {"_wrong", "_right"}) {
      CAPTURE(std::string(pair.name));
      Program program(twin);
      pair.build(program);
      CHECK(program.after({}) == pair.right);
    }
  }
}

TEST_CASE("a copy behind a launch copies what that launch has left in the order drawn") {
  std::set<int> numbers;
  for (std::uint64_t seed = 0; seed < kOrders; ++seed) {
    Program program;
    program.in(1, "numbers").copy(1, program.out + 8, program.out);
    program.in(2, "numbers", program.out + 4, program.state);
    const int number = program.after({Order::Kind::at_liberty, seed});
    CHECK(program.result<int>(0)[1] == 1 - number);
    CHECK(program.result<int>(0)[2] == number);
    numbers.insert(number);
  }
  CHECK(numbers == std::set<int>{0, 1});
}

TEST_CASE("what an event orders stays in order among launches that nothing orders") {
  for (std::uint64_t seed = 0; seed < kOrders; ++seed) {
    CAPTURE(seed);
    Program program;
    program.in(1, "numbers").call(What::record, 1, 1);
    program.in(2, "numbers", program.out + 4, program.state);
    program.call(What::wait, 3, 1);
    program.in(3, "takes_and_counts", program.out + 8, program.out, program.state);
    const int number = program.after({Order::Kind::at_liberty, seed});
    CHECK(program.result<int>(0)[2] == number);
    CHECK(program.result<int>(1)[0] == 3);
  }
}

TEST_CASE("what a kernel that allocates may have met stays as it was") {
  for (std::uint64_t seed = 0; seed < kOrders; ++seed) {
    CAPTURE(seed);
    Program program;
    program.in(1, "numbers").in(3, "counts_on_heap");
    program.in(2, "numbers", program.out + 4, program.state);
    CHECK(program.after({Order::Kind::at_liberty, seed}) == 0);
    CHECK(program.result<int>(0)[1] == 2);
    CHECK(program.result<int>(1)[0] == 3);
  }
}

TEST_CASE("memory that is freed while all streams are waited for is gone") {
  for (std::uint64_t seed = 0; seed < kOrders; ++seed) {
    Program program;
    program.allocate(1, kOwn).fill(1, kOwn).in(1, "numbers", program.out, kOwn);
    program.free(1, kOwn, false).in(2, "numbers", program.out + 4, program.state);
    program.in(3, "numbers", program.out + 8, program.state);
    CHECK(program.after({Order::Kind::at_liberty, seed}) == 0x01010101);
    CHECK(program.result<int>(0)[1] + program.result<int>(0)[2] == 1);
  }
}

// A copy to the host in stream 1, behind its launch, or in stream 3.
TEST_CASE("what the host has copied to itself stays as it was, and what is before it") {
  for (const std::uint32_t stream : {1u, 3u}) {
    std::set<int> numbers;
    for (std::uint64_t seed = 0; seed < kOrders; ++seed) {
      CAPTURE(stream);
      CAPTURE(seed);
      Program program;
      program.in(1, "numbers").in(2, "numbers", program.out + 4, program.state);
      Options options;
      options.order = {Order::Kind::at_liberty, seed};
      const auto live = make_live(options);
      std::uint32_t module = 0;
      live->load(program.job.modules[0], module);
      for (const device::Address at : {program.out, program.state})
        live->execute(device::Allocate{at, 4096, false, {}});
      for (const device::Address at : {program.out, program.state})
        live->execute(device::Fill{at, std::byte{0}, 4096});
      device::Bytes got;
      const auto word = [&](device::Address at) {
        int value = -1;
        CHECK(live->read(at, sizeof value, got).status == device::Live::Answer::Status::done);
        std::memcpy(&value, got.data(), sizeof value);
        return value;
      };
      std::size_t launches = 0;
      for (const device::Step& step : program.job.plan.steps) {
        CHECK(live->execute(step).status == device::Live::Answer::Status::done);
        if (!std::holds_alternative<device::Launch>(step) || launches++) continue;
        live->execute(device::StreamCall{What::use, stream, 0});
        CHECK(word(stream == 1 ? program.out : program.out + 64) == 0);
      }
      live->execute(device::StreamCall{What::host_waits_for_all, 0, 0});
      const int number = word(program.out);
      CHECK(word(program.out + 4) == 1 - number);
      numbers.insert(number);
      CHECK(live->findings().empty());
    }
    CHECK(numbers == (stream == 1 ? std::set<int>{0} : std::set<int>{0, 1}));
  }
}

TEST_CASE("what the host has waited for comes first in each order") {
  for (const bool all : {false, true}) {
    for (std::uint64_t seed = 0; seed < kOrders; ++seed) {
      CAPTURE(seed);
      Program program;
      program.in(3, "numbers", program.out + 4, program.state + 64).in(1, "numbers");
      program.call(all ? What::host_waits_for_all : What::host_waits, 1);
      program.in(2, "numbers", program.out + 8, program.state);
      CHECK(program.after({Order::Kind::at_liberty, seed}) == 0);
      CHECK(program.result<int>(0)[2] == 1);
    }
  }
}

// The word that two launches add to, which lies where host code has it as well.
TEST_CASE("memory that host code has as well is no exception") {
  for (const std::string twin : {"_wrong", "_right"}) {
    for (std::uint64_t seed = 0; seed < kOrders; seed += device::kManners) {
      CAPTURE(twin);
      CAPTURE(seed);
      bool failed = false;
      for (std::uint64_t i = 0; i < device::kManners; ++i) {
        Program program(twin);
        program.in(1, "adds" + twin).in(2, "adds" + twin);
        Options options;
        options.order = {Order::Kind::at_liberty, seed + i};
        const auto live = make_live(options);
        std::uint32_t module = 0;
        CHECK(live->load(program.job.modules[0], module).status ==
              device::Live::Answer::Status::done);
        std::vector<std::byte> shared(4096 + device::Live::kSlack);
        live->share(program.out, shared.data(), 4096, false, {});
        for (const device::Step& step : program.job.plan.steps)
          CHECK(live->execute(step).status == device::Live::Answer::Status::done);
        int sum = 0;
        std::memcpy(&sum, shared.data(), sizeof sum);
        CHECK(live->findings().empty());
        failed = sum != 2 || failed;
      }
      CHECK(failed == (twin == "_wrong"));
    }
  }
}

} // namespace course::emulator

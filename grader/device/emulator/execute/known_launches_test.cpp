// Launches that come again with memory as it was: what they leave, count and find is what it would
// be if each was executed, and how many are not.
#include "device/emulator/test_run.hpp"

#include <doctest/doctest.h>

#include <functional>
#include <memory>
#include <random>

namespace course::emulator {
namespace {

constexpr int kWords = 8192;
constexpr std::uint64_t kBytes = kWords * sizeof(int);
constexpr device::Address kOut = 0x10'0000'0000, kIn = kOut + (2u << 20), kThird = kIn + (2u << 20);

// A program that launches kernels of data/traffic.cu and data/memory.cu.
class Program {
public:
  explicit Program(bool knows, const std::string& file = "traffic.ptx") : kernels_(file) {
    Options options;
    options.knows_launches = knows;
    options.threads = 1; // two may both update a word before either has written it
    live_ = make_live(options);
    std::uint32_t number = 0;
    CHECK(done(live_->load(kernels_.job.modules[0], number)));
    for (const device::Address base : {kOut, kIn, kThird}) {
      device::Allocate step;
      step.address = base;
      step.size = kBytes;
      CHECK(done(live_->execute(step)));
    }
    std::vector<int> numbers(kWords);
    for (int i = 0; i < kWords; ++i) numbers[static_cast<std::size_t>(i)] = i * 7 % 1000;
    upload(kIn, numbers);
  }

  template <typename... Arguments>
  Program& launch(const std::string& kernel, Arguments... arguments) {
    return launch_as(kernel, kWords / 256, 256, arguments...);
  }
  template <typename... Arguments>
  Program& launch_as(const std::string& kernel, unsigned grid, unsigned block,
                     Arguments... arguments) {
    kernels_.job.plan.steps.clear();
    kernels_.launch(kernel, {grid}, {block}, 0, arguments...);
    CHECK(done(live_->execute(kernels_.job.plan.steps.back())));
    return *this;
  }
  Program& upload(device::Address to, const std::vector<int>& words) {
    device::Bytes bytes(words.size() * sizeof(int));
    std::memcpy(bytes.data(), words.data(), bytes.size());
    CHECK(done(live_->execute(device::Upload{to, std::move(bytes)})));
    return *this;
  }
  Program& fill(device::Address at, std::uint64_t size, unsigned char value) {
    CHECK(done(live_->execute(device::Fill{at, std::byte{value}, size})));
    return *this;
  }
  Program& copy(device::Address to, device::Address from) {
    CHECK(done(live_->execute(device::Copy{to, from, kBytes})));
    return *this;
  }
  Program& free_and_allocate(device::Address base) {
    device::Free end;
    end.address = base;
    CHECK(done(live_->execute(end)));
    device::Allocate step;
    step.address = base;
    step.size = kBytes;
    CHECK(done(live_->execute(step)));
    return *this;
  }

  std::vector<int> words(device::Address at) {
    device::Bytes bytes;
    CHECK(done(live_->read(at, kBytes, bytes)));
    std::vector<int> words(kWords);
    std::memcpy(words.data(), bytes.data(), kBytes);
    return words;
  }
  std::uint64_t known() const { return live_->known_launches(); }
  device::Live& live() { return *live_; }

  // All that it came to, as text.
  std::string counts() const {
    std::string all;
    for (const auto& sum : live_->launches()) {
      all += sum.counts.kernel + " " + std::to_string(sum.launches) + " " +
             std::to_string(sum.counts.instructions) + "\n";
      for (const auto& line : sum.lines)
        all += std::to_string(line.line) + " " + std::to_string(line.requests) + " " +
               std::to_string(line.wavefronts) + " " + std::to_string(line.sectors) + "\n";
    }
    for (const auto& finding : live_->findings())
      all += std::string(device::name(finding.kind)) + " " + std::to_string(finding.line) + " " +
             std::to_string(finding.count) + "\n";
    return all;
  }

private:
  static bool done(const device::Live::Answer& answer) {
    return answer.status == device::Live::Answer::Status::done;
  }
  TestRun kernels_;
  std::unique_ptr<device::Live> live_;
};

using Steps = std::function<void(Program&)>;

// How many of the launches were not executed; all else is as if each had been.
std::uint64_t known_of(const Steps& steps, const std::string& file = "traffic.ptx") {
  Program knows(true, file), executes(false, file);
  steps(knows);
  steps(executes);
  CHECK(executes.known() == 0);
  CHECK(knows.counts() == executes.counts());
  for (const device::Address at : {kOut, kIn, kThird}) CHECK(knows.words(at) == executes.words(at));
  return knows.known();
}

void times(int count, const std::function<void()>& f) {
  for (int i = 0; i < count; ++i) f();
}

} // namespace

TEST_CASE("what reads nothing of what it changes is executed until it is known") {
  CHECK(known_of([](Program& p) { times(10, [&] { p.launch("copy", kOut, kIn, kWords); }); }) ==
        8); // small: kept when it comes again
  CHECK(known_of([](Program& p) {
          times(10, [&] {
            p.launch("copy", kThird, kIn, kWords).launch("stencil", kOut, kThird, kWords);
          });
        }) == 16);
}

TEST_CASE("a loop of a fill and sums comes back") {
  CHECK(known_of([](Program& p) {
          times(10, [&] { p.fill(kOut, kBytes, 0).launch("atomics", kOut, kIn, kWords); });
        }) >= 7);
  CHECK(known_of([](Program& p) {
          times(10, [&] {
            p.copy(kOut, kIn)
                .launch("atomics", kOut, kIn, kWords)
                .launch("stencil", kThird, kOut, kWords);
          });
        }) >= 14);
}

TEST_CASE("what puts back all that it changes is known") {
  CHECK(known_of([](Program& p) {
          p.fill(kIn, kBytes, 0).fill(kOut, kBytes, 0); // adds zeros
          times(10, [&] { p.launch("atomics", kOut, kIn, kWords); });
        }) == 8);
}

TEST_CASE("memory that is new each time is as new as before") {
  CHECK(known_of([](Program& p) {
          times(10, [&] {
            p.free_and_allocate(kThird);
            p.launch("copy", kThird, kIn, kWords).launch("stencil", kOut, kThird, kWords);
          });
        }) == 16);
  CHECK(known_of([](Program& p) { // of what nobody has written
          times(10, [&] {
            p.free_and_allocate(kThird);
            p.launch("stencil", kOut, kThird, kWords).launch("copy", kThird, kIn, 100);
          });
        }) >= 14);
}

TEST_CASE("steps that begin again come back, all of them") {
  CHECK(known_of([](Program& p) {
          times(5, [&] {
            p.fill(kOut, kBytes, 0);
            times(20, [&] { p.launch("atomics", kOut, kIn, kWords); });
          });
        }) >= 60);
}

TEST_CASE("what goes on is executed each time") {
  CHECK(known_of([](Program& p) {
          p.fill(kOut, kBytes, 0);
          times(20, [&] { p.launch("atomics", kOut, kIn, kWords); });
        }) == 0);
  CHECK(known_of([](Program& p) { // there and back, with other numbers each time
          times(10, [&] {
            p.launch("stencil", kOut, kIn, kWords).launch("stencil", kIn, kOut, kWords);
          });
        }) == 0);
  CHECK(known_of([](Program& p) {
          for (int n = 1; n < 20; ++n) p.launch("copy", kOut, kIn, n);
        }) == 0);
}

TEST_CASE("whatever changes memory between two launches counts") {
  const std::vector<std::pair<const char*, Steps>> all = {
      {"an upload",
       [](Program& p) {
         p.upload(kIn + 400, {1, 2, 3});
       }},
      {"a fill", [](Program& p) { p.fill(kIn + 8, 4, 9); }},
      {"a copy", [](Program& p) { p.copy(kIn, kThird); }},
      {"a kernel", [](Program& p) { p.launch("copy", kIn, kThird, 100); }},
      {"of its result", [](Program& p) { p.fill(kOut + 40, 1, 9); }},
      {"memory that is new", [](Program& p) { p.free_and_allocate(kIn); }},
      {"memory of the result that is new", [](Program& p) { p.free_and_allocate(kOut); }},
  };
  for (const auto& each : all) {
    const auto& change = each.second;
    CAPTURE(each.first);
    const std::uint64_t known = known_of([&change](Program& p) {
      p.fill(kThird, kBytes, 3);
      times(4, [&] { p.launch("copy", kOut, kIn, kWords); });
      change(p);
      p.launch("copy", kOut, kIn, kWords);
    });
    CHECK(known == 2);
  }
  // The same again is no change.
  CHECK(known_of([](Program& p) {
          times(5, [&] { p.fill(kThird, kBytes, 3).launch("copy", kOut, kThird, kWords); });
        }) == 3);
}

TEST_CASE("what is found is found as often, and what nobody has written stays so") {
  CHECK(known_of([](Program& p) { // kThird is not written
          times(6, [&] { p.launch("copy", kOut, kThird, kWords); });
        }) > 0);
  CHECK(known_of([](Program& p) {
          times(6, [&] { p.launch("copy", kOut, kThird, kWords); });
          p.launch("stencil", kIn, kOut, kWords);
          p.fill(kThird, kBytes, 1);
          times(2, [&] { p.launch("copy", kOut, kThird, kWords); });
          p.launch("stencil", kIn, kOut, kWords);
        }) > 0);
}

TEST_CASE("what reads what no page says, or leaves its arrays, is executed each time") {
  const auto table = [](int first) {
    device::SymbolUpload step;
    step.symbol = "table";
    step.bytes.resize(128);
    std::memcpy(step.bytes.data(), &first, sizeof first);
    return step;
  };
  CHECK(known_of(
            [&table](Program& p) {
              p.fill(kOut, kBytes, 0).fill(kThird, kBytes, 0);
              for (int i = 0; i < 8; ++i) {
                p.live().execute(table(i / 4));
                p.launch_as("constants", 1, 32, kOut, 1);
              }
            },
            "memory.ptx") == 4);
  CHECK(known_of(
            [](Program& p) {
              p.fill(kOut, kBytes, 0).fill(kThird, kBytes, 0);
              times(5, [&] { p.launch_as("counts_module", 1, 32, kOut); });
            },
            "memory.ptx") == 0);
  CHECK(known_of(
            [](Program& p) {
              p.fill(kOut, kBytes, 0).fill(kThird, kBytes, 0);
              times(5, [&] { p.launch_as("prints", 1, 32, 1); });
            },
            "memory.ptx") == 0);
}

// Drawn programs, of few steps and few places, so that much comes again.
TEST_CASE("drawn programs come to the same") {
  std::uint64_t known = 0;
  for (unsigned seed = 0; seed < 60; ++seed) {
    CAPTURE(seed);
    known += known_of([seed](Program& p) {
      std::mt19937 drawn(seed);
      const auto below = [&drawn](unsigned count) {
        return static_cast<unsigned>(drawn() % count);
      };
      const device::Address at[] = {kOut, kIn, kThird};
      const char* const kernels[] = {"copy", "atomics", "stencil", "histogram"};
      const unsigned kinds = 3 + below(5);
      std::vector<Steps> round(1 + below(4));
      for (auto& step : round) {
        const device::Address to = at[below(3)], from = at[below(3)];
        const unsigned what = below(kinds);
        const std::string kernel = kernels[below(4)];
        const int n = below(2) ? kWords : 1000;
        const auto value = static_cast<unsigned char>(below(2));
        if (what < 3)
          step = [=](Program& q) { q.launch(kernel, to, from, n); };
        else if (what == 3)
          step = [=](Program& q) { q.fill(to, kBytes / 2, value); };
        else if (what == 4)
          step = [=](Program& q) { q.copy(to, from); };
        else if (what == 5)
          step = [=](Program& q) { q.free_and_allocate(to); };
        else
          step = [=](Program& q) { q.upload(to + 64, {value, 1, 2}); };
      }
      times(8, [&] {
        for (const auto& step : round) step(p);
      });
    });
  }
  CHECK(known > 100);
}

} // namespace course::emulator

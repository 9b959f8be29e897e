// References called as host code: testdata/references.cpp is compiled once by nvcc, and each of its
// functions called in a process of its own. Part of the test `recording`.
#include "runtime/host_call.hpp"

#include "build/compile.hpp"
#include "system/temporary_folder.hpp"

#include <doctest/doctest.h>

#include <array>
#include <bit>
#include <csignal>
#include <cstring>

namespace course::runtime {
namespace {

namespace fs = std::filesystem;
using End = Recording::End;
using Kind = Call::Value::Kind;

constexpr device::Address kAnswer = kFirstAddress, kGiven = kFirstAddress + (4 << 20);

const build::Compiled* references() {
  static const auto toolkit = build::find_toolkit();
  if (!toolkit) return nullptr;
  static const system::TemporaryFolder cache("course_references");
  static const auto made = [] {
    cache.let_pass();
    build::Options options;
    options.cache = cache.path();
    auto result = build::compile(
        *toolkit, COURSE_SOURCE_DIR "/grader/runtime/testdata/references.cpp", options);
    const auto* rejected = std::get_if<build::Rejected>(&result);
    REQUIRE_MESSAGE(!rejected, rejected->text);
    return std::get<build::Compiled>(std::move(result));
  }();
  return &made;
}

template <class T>
device::Bytes bytes_of(const std::vector<T>& values) {
  device::Bytes bytes(values.size() * sizeof(T));
  std::memcpy(bytes.data(), values.data(), bytes.size());
  return bytes;
}

template <class T>
std::vector<T> values_in(const device::Bytes& bytes) {
  std::vector<T> values(bytes.size() / sizeof(T));
  std::memcpy(values.data(), bytes.data(), bytes.size());
  return values;
}

const std::vector<float> kSix{1, 2, 3, 4, 5, 6};

// The function for a 2 x 3 matrix.
HostCall called(const std::string& name, sandbox::Limits limits = {}) {
  Call call;
  call.function = name + "(float*, float const*, int, int)";
  call.arguments = {
      {Kind::pointer, kAnswer}, {Kind::pointer, kGiven}, {Kind::i32, 2}, {Kind::i32, 3}};
  const fs::path binaries = COURSE_BINARY_DIR;
  return call_on_host(
      {binaries / "bin/course_host", binaries / "lib/course"}, references()->library, call,
      {{.name = "out", .address = kAnswer, .bytes = device::Bytes(24, std::byte{1})},
       {.name = "in", .address = kGiven, .bytes = bytes_of(kSix)}},
      limits);
}

} // namespace

TEST_CASE("a reference computes on the arrays, on every rung") {
  if (!references()) return;
  const auto best = sandbox::best_rung();
  for (const auto rung :
       {sandbox::Rung::bubblewrap, sandbox::Rung::landlock, sandbox::Rung::process}) {
    if (!sandbox::insist_on(rung)) continue;
    CAPTURE(sandbox::name(rung));
    const auto done = called("turned");
    CAPTURE(done.recording.reason);
    CHECK(done.recording.end == End::returned);
    REQUIRE(done.memory.size() == 2);
    CHECK(values_in<float>(done.memory[0]) == std::vector<float>{1, 4, 2, 5, 3, 6});
    CHECK(values_in<float>(done.memory[1]) == kSix);
  }
  sandbox::insist_on(best);
}

TEST_CASE("other types of elements, and no elements at all") {
  if (!references()) return;
  Call call;
  call.function = "doubled_halves(short*, __nv_bfloat16 const*, int)";
  const auto of = [&](int n) {
    call.arguments = {{Kind::pointer, kAnswer},
                      {Kind::pointer, kGiven},
                      {Kind::i32, static_cast<std::uint64_t>(n)}};
    const fs::path binaries = COURSE_BINARY_DIR;
    // 1.5 and -3 as bf16 are the upper halves of the floats.
    return call_on_host({binaries / "bin/course_host", binaries / "lib/course"},
                        references()->library, call,
                        {{.name = "out", .address = kAnswer, .bytes = device::Bytes(4)},
                         {.name = "in",
                          .address = kGiven,
                          .bytes = bytes_of(std::vector<std::uint16_t>{0x3fc0, 0xc040})}},
                        {});
  };
  CHECK(values_in<std::int16_t>(of(2).memory.at(0)) == std::vector<std::int16_t>{3, -6});
  CHECK(values_in<std::int16_t>(of(0).memory.at(0)) == std::vector<std::int16_t>{0, 0});
}

TEST_CASE("what a reference leaves alone is as it was; a launch is not done") {
  if (!references()) return;
  for (const char* name : {"does_nothing", "launches"}) {
    CAPTURE(name);
    const auto done = called(name);
    REQUIRE(done.memory.size() == 2);
    CHECK(done.memory[0] == device::Bytes(24, std::byte{1}));
  }
}

TEST_CASE("a reference that does not come back is told by how it ended") {
  if (!references()) return;
  const auto crash = called("writes_elsewhere");
  CHECK(crash.recording.end == End::crashed);
  CHECK(crash.recording.signal == SIGSEGV);
  CHECK(crash.memory.empty());
  sandbox::Limits limits;
  limits.wall = std::chrono::seconds(60);
  limits.cpu = std::chrono::seconds(1);
  CHECK(called("has_no_end", limits).recording.end == End::cpu_time);
  limits.cpu = std::chrono::seconds(20);
  limits.memory = 256 << 20;
  CHECK(called("takes_memory", limits).recording.end == End::memory);
  CHECK(called("none").recording.end == End::no_function);
}

TEST_CASE("the arrays do not count as memory that a reference takes") {
  if (!references()) return;
  sandbox::Limits limits;
  limits.memory = 256 << 20;
  Call call;
  call.function = "turned(float*, float const*, int, int)";
  constexpr int kSide = 8192; // 256 MiB each
  const device::Address in = kFirstAddress + (512ull << 20);
  call.arguments = {
      {Kind::pointer, kAnswer}, {Kind::pointer, in}, {Kind::i32, kSide}, {Kind::i32, kSide}};
  const fs::path binaries = COURSE_BINARY_DIR;
  const std::uint64_t size = 4ull * kSide * kSide;
  const auto done = call_on_host({binaries / "bin/course_host", binaries / "lib/course"},
                                 references()->library, call,
                                 {{.name = "out", .address = kAnswer, .bytes = device::Bytes(size)},
                                  {.name = "in", .address = in, .bytes = device::Bytes(size)}},
                                 limits);
  CHECK(done.recording.end == End::returned);
}

} // namespace course::runtime

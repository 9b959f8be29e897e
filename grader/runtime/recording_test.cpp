// Whole recordings: testdata/recorded.cu is compiled once by nvcc, and each of its functions is
// called in a sandboxed process of its own. Skipped where there is no nvcc. One file, though long,
// since what nvcc made is shared by all of its tests.
#include "runtime/recording.hpp"

#include "build/compile.hpp"
#include "device/spelled.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <optional>
#include <set>

namespace course::runtime {

namespace {

namespace fs = std::filesystem;
using End = Recording::End;
using Kind = Call::Value::Kind;

constexpr auto kOut = kFirstAddress;
constexpr auto kIn = kFirstAddress + (4 << 20);

const std::optional<build::Toolkit>& toolkit() {
  static const auto found = build::find_toolkit();
  return found;
}

bool skipped() {
  if (!toolkit()) MESSAGE("no nvcc on this machine");
  return !toolkit();
}

struct Fixture {
  fs::path cache;
  build::Compiled compiled;

  Fixture() {
    char name[] = "/tmp/course-recording-XXXXXX";
    cache = mkdtemp(name);
    fs::permissions(cache, fs::perms::others_exec | fs::perms::others_read, fs::perm_options::add);
    build::Options options;
    options.cache = cache;
    const auto result = build::compile(
        *toolkit(), COURSE_SOURCE_DIR "/grader/runtime/testdata/recorded.cu", options);
    const auto* rejected = std::get_if<build::Rejected>(&result);
    REQUIRE_MESSAGE(!rejected, rejected->text);
    compiled = std::get<build::Compiled>(result);
  }
  ~Fixture() {
    std::error_code ignored;
    fs::remove_all(cache, ignored);
  }
};

const Fixture& fixture() {
  static const Fixture made;
  return made;
}

Call call_of(const std::string& name) {
  Call call;
  call.function =
      name.find('(') == std::string::npos ? name + "(float*, float const*, int, int)" : name;
  call.arguments = {{Kind::pointer, kOut}, {Kind::pointer, kIn}, {Kind::i32, 64}, {Kind::i32, 96}};
  call.memory = {{kOut, 64 * 96 * 4}, {kIn, 64 * 96 * 4}};
  return call;
}

sandbox::Limits limits() {
  sandbox::Limits limits;
  limits.wall = std::chrono::minutes(10); // also on a busy machine
  limits.cpu = std::chrono::seconds(1);
  return limits;
}

sandbox::Limits within(std::chrono::milliseconds wall, std::chrono::seconds cpu) {
  auto limits_of_time = limits();
  limits_of_time.wall = wall;
  limits_of_time.cpu = cpu;
  return limits_of_time;
}

Recording recording_of(const fs::path& library, const Call& call,
                       const std::vector<device::Module>& modules,
                       const sandbox::Limits& limited = limits()) {
  const fs::path binaries = COURSE_BINARY_DIR;
  return record({binaries / "bin/course_host", binaries / "lib/course"}, library, modules, call,
                limited);
}

Recording recording_of(const std::string& function) {
  return recording_of(fixture().compiled.library, call_of(function), fixture().compiled.modules);
}

template <class T>
std::vector<T> all(const device::Plan& plan) {
  std::vector<T> found;
  for (const auto& step : plan.steps) {
    if (const auto* s = std::get_if<T>(&step)) found.push_back(*s);
  }
  return found;
}

template <class T>
T argument(const device::Launch& launch, std::size_t offset) {
  T value{};
  REQUIRE(offset + sizeof value <= launch.arguments.size());
  std::memcpy(&value, launch.arguments.data() + offset, sizeof value);
  return value;
}

// Each way of ending by one function, with nothing else to see.
void check_end(const std::string& function, End end, const std::string& reason_has = {},
               const sandbox::Limits& limited = limits()) {
  CAPTURE(function);
  const auto r = recording_of(fixture().compiled.library, call_of(function),
                              fixture().compiled.modules, limited);
  CHECK(static_cast<int>(r.end) == static_cast<int>(end));
  CAPTURE(r.reason);
  CAPTURE(r.err);
  CHECK(r.reason.find(reason_has) != std::string::npos);
}

} // namespace

TEST_CASE("a transpose is recorded as one launch with its grid, block and arguments") {
  if (skipped()) return;
  const auto r = recording_of("transpose");
  CHECK(r.end == End::returned);
  CHECK(r.reason == "");
  CHECK(r.errors.empty());
  CHECK(r.unsupported.empty());
  CHECK(r.not_freed == 0);
  CHECK(r.out == ""); // static destructors do not run
  REQUIRE(r.plan.steps.size() == 1);
  const auto launch = all<device::Launch>(r.plan).at(0);
  CHECK(launch.module == 0);
  CHECK(launch.kernel == "_Z14transpose_tilePfPKfii");
  CHECK(launch.grid == device::Dim3{3, 2, 1});
  CHECK(launch.block == device::Dim3{32, 32, 1});
  CHECK(launch.dynamic_shared == 0);
  REQUIRE(launch.arguments.size() == 24);
  CHECK(argument<std::uint64_t>(launch, 0) == kOut);
  CHECK(argument<std::uint64_t>(launch, 8) == kIn);
  CHECK(argument<std::int32_t>(launch, 16) == 64);
  CHECK(argument<std::int32_t>(launch, 20) == 96);
}

TEST_CASE("symbols, attributes and arguments of all sizes are recorded") {
  if (skipped()) return;
  const auto r = recording_of("symbols_and_attributes");
  CHECK(r.end == End::returned);
  CHECK(r.errors.empty());
  CHECK(r.out == "no error, threads 256, dynamic 100000");
  const auto symbols = all<device::SymbolUpload>(r.plan);
  REQUIRE(symbols.size() == 2);
  CHECK(symbols[0].symbol == "weights");
  CHECK(symbols[0].bytes.size() == 64);
  CHECK(symbols[1].offset == 16);
  const auto launches = all<device::Launch>(r.plan);
  REQUIRE(launches.size() == 1);
  CHECK(launches[0].kernel == "_Z6scaledILi3EEvPfcds");
  CHECK(launches[0].dynamic_shared == 100'000);
  CHECK(argument<char>(launches[0], 8) == 'x');
  CHECK(argument<double>(launches[0], 16) == 0.5);
  CHECK(argument<std::int16_t>(launches[0], 24) == -3);
}

TEST_CASE("scratch memory is recorded, and what was not freed is noted") {
  if (skipped()) return;
  const auto r = recording_of("scratch_memory");
  CHECK(r.end == End::returned);
  CHECK(r.out == "cudaSuccess");
  CHECK(r.errors.empty());
  CHECK(r.not_freed == 1);
  CHECK(r.bytes_not_freed == 40);
  const auto allocations = all<device::Allocate>(r.plan);
  REQUIRE(allocations.size() == 3);
  CHECK(allocations[0].address > kIn + 64 * 96 * 4);
  CHECK(allocations[1].address - allocations[0].address >= kAddressGranularity);
  CHECK(all<device::Fill>(r.plan).at(0).value == std::byte{0xff});
  CHECK(all<device::Upload>(r.plan).at(0).bytes.size() == 1200);
  CHECK(all<device::Copy>(r.plan).at(0).size == 600);
  CHECK(argument<std::uint64_t>(all<device::Launch>(r.plan).at(0), 0) == allocations[1].address);
  CHECK(all<device::Free>(r.plan).size() == 2);
}

TEST_CASE("threads may launch side by side") {
  if (skipped()) return;
  const auto r = recording_of("launches_from_threads");
  CHECK(r.end == End::returned);
  std::set<std::pair<int, int>> seen;
  for (const auto& launch : all<device::Launch>(r.plan)) {
    seen.insert({argument<int>(launch, 16), argument<int>(launch, 20)});
  }
  CHECK(all<device::Launch>(r.plan).size() == 200);
  CHECK(seen.size() == 200);
}

TEST_CASE("a function that does nothing returns with an empty plan") {
  if (skipped()) return;
  const auto r = recording_of("does_nothing");
  CHECK(r.end == End::returned);
  CHECK(r.plan.steps.empty());
  CHECK(r.errors.empty());
}

TEST_CASE("crashes are told by their signal, which says what it means by itself") {
  if (skipped()) return;
  for (const auto& [function, signal] :
       {std::pair("reads_device_memory", SIGSEGV), std::pair("reads_null", SIGSEGV),
        std::pair("divides_by_zero", SIGFPE), std::pair("aborts", SIGABRT)}) {
    CAPTURE(function);
    const auto r = recording_of(function);
    CHECK(r.end == End::crashed);
    CHECK(r.signal == signal);
    CHECK(r.reason.empty());
  }
}

TEST_CASE("a crash by an address says which, and of which of the call's buffers") {
  if (skipped()) return;
  const auto device = recording_of("reads_device_memory");
  REQUIRE(device.touched);
  CHECK(device.touched->address == kIn);
  CHECK_FALSE(device.touched->writes);
  CHECK(device.touched->region == std::size_t{1});
  const auto null = recording_of("reads_null");
  REQUIRE(null.touched);
  CHECK(null.touched->address == 0);
  CHECK_FALSE(null.touched->region);
  CHECK_FALSE(recording_of("divides_by_zero").touched);
}

TEST_CASE("an exception is a crash whose reason is what was thrown") {
  if (skipped()) return;
  const auto r = recording_of("throws");
  CHECK(r.end == End::crashed);
  CHECK(r.signal == SIGABRT);
  CHECK(r.reason == "threw `std::runtime_error`: no such size");
  CHECK(recording_of("throws_a_number").reason == "threw `int`");
  CHECK(recording_of("throws_in_a_thread").reason ==
        "threw `std::runtime_error`: beside the function");
  CHECK(recording_of("forgets_a_thread").reason ==
        "called std::terminate, as a std::thread does that was not joined");
}

TEST_CASE("a function that ends the process did not return, whatever the code") {
  if (skipped()) return;
  const auto exits = recording_of("exits");
  CHECK(exits.end == End::exited);
  CHECK(exits.code == 0);
  CHECK(exits.plan.steps.size() == 1);
  const auto at_once = recording_of("exits_at_once");
  CHECK(at_once.end == End::exited);
  CHECK(at_once.code == 3);
}

TEST_CASE("a function without end runs into a limit") {
  if (skipped()) return;
  check_end("never_returns", End::cpu_time);
  check_end("sleeps", End::wall_time, {},
            within(std::chrono::milliseconds(500), std::chrono::seconds(1)));
  check_end("prints_without_end", End::output, {},
            within(std::chrono::minutes(10), std::chrono::seconds(30)));
}

TEST_CASE("a function that takes all memory is told by that") {
  if (skipped()) return;
  check_end("takes_all_memory", End::memory);
}

TEST_CASE("what it prints is kept") {
  if (skipped()) return;
  const auto r = recording_of("prints");
  CHECK(r.end == End::returned);
  CHECK(r.out == "to stdout");
  CHECK(r.err == "to stderr");
}

TEST_CASE("clocks, random numbers and addresses are the same each time") {
  if (skipped()) return;
  const auto first = recording_of("prints_what_could_differ");
  CHECK(first.out.starts_with("1767225600 ")); // 2026-01-01
  CHECK(first.out.ends_with(" 12:00:00"));
  CHECK(recording_of("prints_what_could_differ").out == first.out);
}

TEST_CASE("a launch that cannot be is an error that the program sees, and is not in the plan") {
  if (skipped()) return;
  const auto threads = recording_of("too_many_threads");
  CHECK(threads.end == End::returned);
  CHECK(threads.out == "cudaErrorInvalidValue");
  CHECK(threads.plan.steps.empty());
  REQUIRE(threads.errors.size() == 1);
  CHECK(threads.errors[0].call == "cudaLaunchKernel");
  CHECK(threads.errors[0].error == "cudaErrorInvalidValue");
  CHECK(device::spelled(threads.errors[0].why) ==
        "of_kernel(transpose_tile, threads_beyond_device(2048, 1024))");

  const auto shared = recording_of("too_much_shared_memory");
  CHECK(shared.end == End::returned);
  CHECK(shared.out == "cudaErrorInvalidValue");
  CHECK(device::spelled(shared.errors.at(0).why) ==
        "of_kernel(scaled<3>, shared_beyond_device(300000, 0, 232448))");
}

TEST_CASE("null pointers as arguments are recorded as they are") {
  if (skipped()) return;
  const auto r = recording_of("null_arguments");
  CHECK(r.end == End::returned);
  CHECK(argument<std::uint64_t>(all<device::Launch>(r.plan).at(0), 0) == 0);
}

TEST_CASE("results cannot be copied back, and the report knows which call wanted to") {
  if (skipped()) return;
  const auto r = recording_of("copies_back");
  CHECK(r.end == End::returned);
  CHECK(r.out == "cudaErrorNotSupported");
  CHECK(r.unsupported == std::vector<std::string>{"cudaMemcpy"});
  CHECK(r.errors.at(0).error == "cudaErrorNotSupported");
}

TEST_CASE("managed memory takes what host code writes, and is out of its reach after a launch") {
  if (skipped()) return;
  const auto r = recording_of("touches_managed");
  CHECK(r.end == End::crashed);
  CHECK(r.unsupported ==
        std::vector<std::string>{"cudaMallocManaged and touches that memory after a launch"});
  REQUIRE(r.touched);
  CHECK(r.touched->writes);
}

TEST_CASE("time cannot be taken, by name, and graphs can be made") {
  if (skipped()) return;
  const auto r = recording_of("times_itself");
  CHECK(r.end == End::returned);
  CHECK(r.unsupported == std::vector<std::string>{"cudaEventElapsedTime"});
  CHECK(r.plan.steps.size() == 1);
}

TEST_CASE("launches without end are too large a plan") {
  if (skipped()) return;
  const auto r = recording_of(fixture().compiled.library, call_of("launches_without_end"),
                              fixture().compiled.modules,
                              within(std::chrono::minutes(10), std::chrono::seconds(30)));
  CHECK(r.end == End::too_large);
  CHECK(r.reason == "more than 100000 kernel launches");
}

TEST_CASE("descriptor 3 closed or misused is told as that") {
  if (skipped()) return;
  check_end("closes_descriptor_3", End::bad_protocol, "closed descriptor 3");
  check_end("writes_garbage", End::bad_protocol, "protocol version");
}

TEST_CASE("a forged return ends the process at once and gains an empty plan") {
  if (skipped()) return;
  // It does not end by itself, nor within this limit.
  auto an_hour = limits();
  an_hour.wall = std::chrono::hours(1);
  const auto r = recording_of(fixture().compiled.library, call_of("forges_its_return"),
                              fixture().compiled.modules, an_hour);
  CHECK(r.end == End::returned);
  CHECK(r.plan.steps.empty());
}

TEST_CASE("processes and threads that it leaves behind change nothing") {
  if (skipped()) return;
  const auto process = recording_of("leaves_a_process");
  CHECK(process.end == End::returned);
  CHECK(process.plan.steps.size() == 1);
  const auto thread = recording_of("leaves_a_thread");
  CHECK(thread.end == End::returned);
}

TEST_CASE("device code that the grader did not compile is refused") {
  if (skipped()) return;
  const auto brought = recording_of("registers_other_code");
  CHECK(brought.end == End::returned);
  CHECK(brought.errors.at(0).call == "__cudaRegisterFatBinary");
  CHECK(brought.errors.at(0).error == "cudaErrorInvalidKernelImage");

  const std::vector<device::Module> other = {
      {".version 9.0\n.target sm_90\n.address_size 64\n.visible .entry f() { ret; }", {}}};
  const auto r = recording_of(fixture().compiled.library, call_of("transpose"), other);
  CHECK(r.end == End::returned);
  CHECK(r.plan.steps.empty());
  REQUIRE(r.errors.size() == 2);
  CHECK(r.errors[0].why == "device code that nvcc did not make of this file");
  CHECK(r.errors[1].call == "cudaLaunchKernel");
}

TEST_CASE("a missing function is told, with those of the same name") {
  if (skipped()) return;
  check_end("missing", End::no_function,
            "there is no function 'missing(float*, float const*, int, int)'");
  check_end("overloaded(double*)", End::no_function,
            "there is no function 'overloaded(double*)'; there is 'overloaded(float*");
  check_end("c_function(float*)", End::no_function, "there is 'extern \"C\" c_function");
}

TEST_CASE("what is no library is not loaded, with the linker's reason") {
  char folder[] = "/tmp/course-recording-XXXXXX";
  const fs::path path = fs::path(mkdtemp(folder)) / "no_library.so";
  fs::permissions(folder, fs::perms::others_exec, fs::perm_options::add);
  std::ofstream(path) << "this is not ELF, and quite long enough to be read as a header of ELF ...";
  const auto r = recording_of(path, call_of("transpose"), {});
  fs::remove_all(folder);
  CHECK(r.end == End::not_loaded);
  CHECK(r.reason.find("invalid ELF header") != std::string::npos);
}

TEST_CASE("an exception of a static constructor is told like that of the function") {
  const auto r = recording_of(COURSE_THROWS_ON_LOAD, call_of("transpose"), {});
  CHECK(r.end == End::crashed);
  CHECK(r.reason == "threw `std::runtime_error`: before anything was called");
}

TEST_CASE("a host process that is not there is not started") {
  const auto r = record({"/nowhere/course_host", "/nowhere"}, COURSE_THROWS_ON_LOAD, {},
                        call_of("transpose"), limits());
  CHECK(r.end == End::not_started);
  CHECK(r.reason != "");
}

} // namespace course::runtime

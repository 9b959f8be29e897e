#include "nvcc.hpp"

#include <doctest/doctest.h>

#include <algorithm>

namespace course::build {
namespace {

using End = sandbox::Outcome::End;
using Reason = Rejected::Reason;

const Seen kSeenByNvcc{"/job", "2_pad.cu", "2_pad.cu"};

sandbox::Outcome ended(End end, int code = 0, const std::string& err = "") {
  sandbox::Outcome outcome;
  outcome.end = end;
  outcome.code = code;
  outcome.err = err;
  return outcome;
}

Rejected rejected(const sandbox::Outcome& outcome) {
  return rejection(outcome, compiler_limits(), kSeenByNvcc).value();
}

Reason reason_for(const std::string& err) {
  return rejected(ended(End::exited, 1, err)).reason;
}

bool has(const std::vector<std::string>& words, const std::string& word) {
  return std::ranges::find(words, word) != words.end();
}

} // namespace

TEST_CASE("device code and C++ are made first, a library with a replaceable runtime of the C++") {
  const auto first = device_arguments({}, "2_pad.cu");
  for (const char* word :
       {"--cuda", "--no-compress", "-lineinfo", "-O3", "--expt-relaxed-constexpr",
        "--extended-lambda", "arch=compute_90,code=[compute_90,sm_90]"})
    CHECK(has(first, word));
  CHECK(first.back() == "2_pad.cu");
  Options without;
  without.extended_lambda = false;
  CHECK_FALSE(has(device_arguments(without, "2_pad.cu"), "--extended-lambda"));
  CHECK_FALSE(has(first, "-shared"));
  CHECK(fatbin_name({}, "2_pad.cu") == "2_pad.fatbin");
  const auto second = library_arguments({});
  for (const char* word : {"-shared", "-cudart", "-O3"}) CHECK(has(second, word));
  CHECK(second.back() == kHostCode);
  CHECK_FALSE(has(second, "2_pad.cu"));
}

TEST_CASE("device code alone is a fat binary") {
  Options options;
  options.device_only = true;
  const auto words = device_arguments(options, "2_pad.cu");
  CHECK(has(words, "-fatbin"));
  CHECK_FALSE(has(words, "--cuda"));
  CHECK(has(words, "device.fatbin"));
}

TEST_CASE("a standard of the caller's takes the place of ours") {
  Options options;
  CHECK(has(device_arguments(options, "a.cu"), "-std=c++20"));
  options.flags = {"-std=c++17"};
  CHECK_FALSE(has(device_arguments(options, "a.cu"), "-std=c++20"));
  CHECK(has(device_arguments(options, "a.cu"), "-std=c++17"));
  CHECK(has(library_arguments(options), "-std=c++17"));
}

TEST_CASE("cubins for other devices come beside the one for sm_90") {
  Options options;
  options.gpu_targets = {"sm_120"};
  CHECK(has(device_arguments(options, "a.cu"), "arch=compute_120,code=sm_120"));
}

TEST_CASE("an nvcc that is content is no rejection") {
  CHECK_FALSE(rejection(ended(End::exited, 0, "warning"), compiler_limits(), kSeenByNvcc));
}

TEST_CASE("diagnostics are nvcc's own words") {
  const Rejected result = rejected(ended(End::exited, 2, "/job/2_pad.cu(3): error: x\n"));
  CHECK(result.reason == Reason::diagnostics);
  CHECK(result.text == "2_pad.cu(3): error: x\n");
  CHECK_FALSE(rejected(ended(End::exited, 7)).text.empty());
}

TEST_CASE("the limits that end nvcc are told apart") {
  CHECK(rejected(ended(End::wall_time)).reason == Reason::timed_out);
  CHECK(rejected(ended(End::cpu_time)).reason == Reason::timed_out);
  CHECK(rejected(ended(End::output)).reason == Reason::too_large);
  CHECK(rejected(ended(End::file_size)).reason == Reason::too_large);
  CHECK(rejected(ended(End::memory)).reason == Reason::out_of_memory);
  CHECK(rejected(ended(End::not_started)).reason == Reason::no_compiler);
  CHECK(rejected(ended(End::signalled, 11)).reason == Reason::diagnostics);
}

TEST_CASE("the limits that end a program of nvcc's are told by its last words") {
  CHECK(reason_for("CPU time limit exceeded\n") == Reason::timed_out);
  CHECK(reason_for("\nInternal error: CPU time limit exceeded.\nAborted\n") == Reason::timed_out);
  CHECK(reason_for("File size limit exceeded\n") == Reason::too_large);
  CHECK(reason_for("LLVM ERROR: out of memory\nAborted\n") == Reason::out_of_memory);
  CHECK(reason_for("ptxas fatal   : Memory allocation failure\n") == Reason::out_of_memory);
  CHECK(reason_for("2_pad.cu(1): catastrophic error: out of memory\n") == Reason::out_of_memory);
  CHECK(reason_for("virtual memory exhausted: Cannot allocate memory\n") == Reason::out_of_memory);
  CHECK(reason_for("terminate called after throwing an instance of 'std::bad_alloc'\n") ==
        Reason::out_of_memory);
}

TEST_CASE("a kill is the processor limit's when that much time has passed, else the memory's") {
  sandbox::Outcome outcome = ended(End::exited, 1, "Killed\n");
  outcome.wall = std::chrono::seconds(31);
  CHECK(rejected(outcome).reason == Reason::timed_out);
  outcome.wall = std::chrono::seconds(3);
  CHECK(rejected(outcome).reason == Reason::out_of_memory);
}

TEST_CASE("nothing that nvcc starts for one file takes more than a gigabyte") {
  CHECK(compiler_limits().memory <= 1ull << 30);
}

TEST_CASE("a student's own words about memory are diagnostics") {
  CHECK(reason_for("2_pad.cu:1:2: error: #error out of memory\n") == Reason::diagnostics);
  CHECK(reason_for("  int x = \"Killed\" std::bad_alloc;\n") == Reason::diagnostics);
}

} // namespace course::build

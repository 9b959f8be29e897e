#include "lab/ending_faults.hpp"

#include "lab/labs.hpp"

#include "report/words/check_words.hpp"
#include "report/words/ended_words.hpp"

#include <doctest/doctest.h>

#include <csignal>
#include <set>

namespace course::lab {
namespace {

using judge::Ending;
using End = runtime::Recording::End;
using Reason = build::Rejected::Reason;

const Exercise& pad() {
  return *find(exercises(COURSE_SOURCE_DIR), "2_pad").exercise;
}

judge::EndedBy end_of(End end, int number = 0, const std::string& reason = "") {
  runtime::Recording recording;
  recording.end = end;
  recording.signal = recording.code = number;
  recording.reason = reason;
  const auto how = not_returned(recording, pad(), judge::matrix(32, 32), {});
  REQUIRE(how);
  return judge::ended_by(*how);
}

report::EndedWords ended(End end, int number = 0, const std::string& reason = "") {
  return report::ended_words(end_of(end, number, reason));
}

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

device::Step a_launch() {
  return device::Launch{};
}

} // namespace

TEST_CASE("a call that returned has no ending of its own") {
  CHECK_FALSE(not_returned({}, pad(), judge::matrix(32, 32), {}));
}

TEST_CASE("each way of not returning has its own message, with the shape and what to do") {
  std::set<std::string> headlines;
  const std::vector<report::EndedWords> all{
      ended(End::crashed, SIGFPE), ended(End::crashed, SIGSEGV), ended(End::crashed, SIGABRT),
      ended(End::cpu_time),        ended(End::exited, 3),        ended(End::memory),
      ended(End::output),          ended(End::file_size),        ended(End::too_large),
      ended(End::bad_protocol),
  };
  for (const auto& words : all) {
    INFO(words.headline);
    CHECK(headlines.insert(words.headline).second);
    CHECK(contains(words.headline, "transpose()"));
    CHECK(contains(words.headline, "32 x 32"));
    CHECK_FALSE(words.advice.empty());
  }
}

TEST_CASE("what cannot be answered is told with the line that names it, and what does the same") {
  const std::string source = "// factor\n__managed__ float factors[2], factor;\n"
                             "  x = cudaCreateTextureObjects; cudaCreateTextureObject(&x);\n";
  const auto words = [&](const std::string& call, int signal) {
    auto how = judge::ended_by(unanswered(call, signal));
    find_line(how, source);
    CHECK(judge::ending_of(how) == Ending::not_measurable);
    return report::ended_words(how);
  };
  const auto variable = words("__cudaRegisterManagedVar factor", SIGSEGV);
  CHECK(contains(variable.headline, "a __managed__ variable (line 2: `factor`)"));
  CHECK_FALSE(contains(variable.headline, "__cuda"));
  CHECK(contains(variable.advice, "cudaMemcpyToSymbol"));
  CHECK(contains(words("__cudaRegisterManagedVar other", 0).headline, "variable (`other`)"));
  const auto texture = words("cudaCreateTextureObject", 0);
  CHECK(contains(texture.headline, "cudaCreateTextureObject (line 3)"));
  CHECK(contains(texture.advice, "__restrict__"));
  CHECK_FALSE(contains(words("cudaMemcpy2D", 0).headline, "line"));
}

TEST_CASE("endings are told apart for those who only see the exit code") {
  CHECK(judge::ending_of(end_of(End::crashed, SIGFPE)) == Ending::crashed);
  CHECK(judge::ending_of(end_of(End::exited, 0)) == Ending::crashed);
  CHECK(judge::ending_of(end_of(End::cpu_time)) == Ending::timed_out);
  CHECK(judge::ending_of(end_of(End::wall_time)) == Ending::timed_out);
  CHECK(judge::ending_of(end_of(End::no_function)) == Ending::did_not_compile);
  CHECK(judge::ending_of(end_of(End::not_loaded)) == Ending::did_not_compile);
  CHECK(judge::ending_of(end_of(End::not_started)) == Ending::set_up);
}

TEST_CASE("a crash says what the signal means") {
  CHECK(contains(ended(End::crashed, SIGFPE).headline, "divided by zero"));
  CHECK(contains(ended(End::crashed, SIGSEGV).headline, "not its own"));
  CHECK(contains(ended(End::crashed, SIGABRT, "it threw std::length_error").headline,
                 "std::length_error"));
  CHECK(contains(ended(End::crashed, SIGSYS).headline, "system call"));
  CHECK(contains(ended(End::crashed, SIGILL).headline, "illegal instruction"));
  CHECK(contains(ended(End::crashed, SIGUSR1).headline, std::to_string(SIGUSR1)));
}

TEST_CASE("a crash names the buffer that host code touched") {
  runtime::Recording recording;
  recording.end = End::crashed;
  recording.signal = SIGSEGV;
  recording.touched = {runtime::kFirstAddress, true, 0};
  const auto headline = [&] {
    return report::fault_words(*not_returned(recording, pad(), judge::matrix(32, 32), {})).headline;
  };
  const auto& name = pad().cases.front().operands.front().name;
  CHECK(contains(headline(), "wrote to `" + name + "`, which is in the GPU's memory"));
  recording.touched = {runtime::kFirstAddress, false, {}};
  CHECK(contains(headline(), "an address in the GPU's memory"));
  recording.touched = {0, false, {}};
  CHECK(contains(headline(), "read at address 0x0"));
}

TEST_CASE("a crash after a call that the runtime lacks is not measurable, one after an error is a "
          "crash") {
  runtime::Recording recording;
  recording.end = End::crashed;
  recording.signal = SIGSEGV;
  recording.errors = {{"cudaMalloc", "cudaErrorMemoryAllocation", {}}};
  const auto end = [&] {
    return judge::ended_by(*not_returned(recording, pad(), judge::matrix(32, 32), {}));
  };
  CHECK(judge::ending_of(end()) == Ending::crashed);
  CHECK(report::ended_words(end()).headline.starts_with("cudaMalloc was refused"));
  const auto registered =
      runtime::CudaError{"__cudaRegisterFatBinary", "cudaErrorInvalidKernelImage", {}};
  recording.errors.insert(recording.errors.begin(), registered);
  CHECK(report::ended_words(end()).headline.starts_with("cudaMalloc was refused"));
  recording.errors = {registered};
  CHECK(report::ended_words(end()).headline.find("refused") == std::string::npos);
  recording.unsupported = {"cudaMallocManaged"};
  CHECK(judge::ending_of(end()) == Ending::not_measurable);
  CHECK(contains(report::ended_words(end()).headline, "cudaMallocManaged"));
  CHECK(contains(report::ended_words(end()).headline, "crashed after that call"));
  recording.touched = {runtime::kFirstAddress, true, std::nullopt};
  CHECK(!contains(report::ended_words(end()).headline, "crashed"));
}

TEST_CASE("what nvcc refused ends as not compiled, a missing nvcc as a matter of set-up") {
  CHECK(judge::ending_of(judge::ended_by(rejected({Reason::diagnostics, "error"}, "2_pad.cu"))) ==
        Ending::did_not_compile);
  CHECK(judge::ending_of(judge::ended_by(rejected({Reason::timed_out, ""}, "2_pad.cu"))) ==
        Ending::did_not_compile);
  CHECK(judge::ending_of(judge::ended_by(rejected({Reason::no_compiler, ""}, "2_pad.cu"))) ==
        Ending::set_up);
  CHECK(contains(report::ended_words(judge::endings::NoToolkit{}).advice, "CUDA Toolkit 13"));
}

TEST_CASE("an empty file is told how to begin again") {
  const auto words = report::fault_words(empty_file(pad(), "2_pad.cu"));
  CHECK(words.headline == "2_pad.cu is empty.");
  CHECK(contains(words.advice, "./course reset 05_transpose/2_pad"));
}

TEST_CASE("a wrong signature is shown beside the right one") {
  const auto words =
      report::fault_words(no_function(pad(), "2_pad.cu", {"transpose(float*, float*, int)"}));
  CHECK(contains(words.headline, pad().signature));
  CHECK(contains(words.headline, "It defines transpose(float*, float*, int)."));
  const std::vector<std::string> many(10, "f()");
  CHECK(contains(report::fault_words(no_function(pad(), "2_pad.cu", many)).headline, "and 6 more"));
}

TEST_CASE("returning without a launch fails the launch, unless there is nothing to do") {
  CHECK(check_launch({}, pad(), "32 x 32", true).status == judge::Status::failed);
  CHECK(report::words(check_launch({}, pad(), "32 x 32", true)).observed() ==
        "nothing was launched");
  CHECK(check_launch({}, pad(), "0 x 32", false).status == judge::Status::passed);
}

TEST_CASE("a shape takes a kernel, unless it has no output or no input") {
  Case shape;
  const auto takes = [&](std::uint64_t in, std::uint64_t out) {
    shape.operands = {{"out", out, true}, {"in", in, false}, {"more", 0, false}};
    shape.bounds.elements = out;
    return takes_a_kernel(pad(), shape);
  };
  CHECK(takes(5, 5));
  CHECK_FALSE(takes(5, 0));
  CHECK_FALSE(takes(0, 5)); // zeros, as a product of no columns is
  shape.operands = {{"out", 5, true}};
  CHECK(takes_a_kernel(pad(), shape)); // it may depend on parameters alone
}

TEST_CASE("a refused launch fails with CUDA's reason, whatever else was launched") {
  runtime::Recording recording;
  recording.plan.steps = {a_launch()};
  CHECK(check_launch(recording, pad(), "32 x 32", true).status == judge::Status::passed);
  recording.errors = {{"cudaLaunchKernel", "cudaErrorInvalidValue",
                       "2,048 threads per block; this device allows 1,024"}};
  const auto check = check_launch(recording, pad(), "32 x 32", true);
  CHECK(check.status == judge::Status::failed);
  CHECK(report::words(check).observed() == "cudaLaunchKernel was refused");
  CHECK(contains(report::words(check).message, "cudaErrorInvalidValue: 2,048 threads per block"));
}

TEST_CASE("an error that a program recovered from does not fail the launch") {
  runtime::Recording recording;
  recording.plan.steps = {a_launch()};
  recording.errors = {{"cudaFuncSetAttribute", "cudaErrorInvalidValue", "too much"}};
  CHECK(check_launch(recording, pad(), "32 x 32", true).status == judge::Status::passed);

  auto strict = pad();
  strict.calls_succeed = true; // the task says that no call may fail
  const auto check = check_launch(recording, strict, "32 x 32", true);
  CHECK(check.status == judge::Status::failed);
  CHECK(report::words(check).observed() == "cudaFuncSetAttribute was refused");
  recording.errors.clear();
  CHECK(check_launch(recording, strict, "32 x 32", true).status == judge::Status::passed);
}

TEST_CASE("when nothing was launched, the first error is the reason shown") {
  runtime::Recording recording;
  recording.errors = {{"cudaFuncSetAttribute", "cudaErrorInvalidValue", "300 KB asked for"},
                      {"cudaLaunchKernel", "cudaErrorInvalidValue", "too much shared memory"}};
  const auto check = check_launch(recording, pad(), "32 x 32", true);
  CHECK(report::words(check).observed() == "cudaFuncSetAttribute was refused");
  CHECK(contains(report::words(check).message, "300 KB asked for"));
}

TEST_CASE("a link, and work without end, are the file's own doing and no matter of set-up") {
  const judge::EndedBy link = judge::endings::SymbolicLink{"2_pad.cu"};
  CHECK(judge::ending_of(link) == Ending::did_not_compile);
  CHECK(contains(report::ended_words(link).headline, "2_pad.cu is a symbolic link"));
  const auto how = too_much_asked(pad(), judge::matrix(32, 32));
  CHECK(judge::ending_of(judge::ended_by(how)) == Ending::timed_out);
  const auto words = report::fault_words(how);
  CHECK(contains(words.headline, "transpose() asked for launches"));
  CHECK(contains(words.headline, "for a 32 x 32 matrix"));
  CHECK_FALSE(words.advice.empty());
}

} // namespace course::lab

// What programs use of CUDA, as textbooks have it (programs/), under `course run`; and the twin of
// each that uses it wrongly, with the words that its user gets. Each program compares its results
// with plain C++ and ends with 0; all of them end so on an H200 too.
#include "build/shell.hpp"

#include <doctest/doctest.h>

#include <cstdio>
#include <string>

namespace course::cli {
namespace {

using build::Ran;

Ran run(const std::string& program, int wrong = 0) {
  const auto ran =
      build::run_in_shell(std::string(COURSE_BINARY_DIR "/bin/course run --color never -DWRONG=") +
                          std::to_string(wrong) + " " COURSE_PROGRAMS "/" + program + ".cu 2>&1");
  if (ran.code == 7) std::puts("no nvcc on this machine"); // CTest then counts it as skipped
  return ran;
}

// Long lines of a table are broken: without breaks.
std::string joined(const std::string& text) {
  std::string out;
  for (const char c : text) {
    if (c != '\n' && c != ' ')
      out += c;
    else if (!out.empty() && out.back() != ' ')
      out += ' ';
  }
  return out;
}

void check_right(const std::string& program, const std::string& says) {
  const auto ran = run(program);
  if (ran.code == 7) return;
  INFO(ran.text);
  CHECK(ran.code == 0);
  CHECK(ran.text.find(says) != std::string::npos);
  CHECK(ran.text.find("is not supported") == std::string::npos);
  CHECK(ran.text.find("race in") == std::string::npos);
}

void check_wrong(const std::string& program, int wrong, const std::string& says) {
  const auto ran = run(program, wrong);
  if (ran.code == 7) return;
  INFO(ran.text);
  CHECK(joined(ran.text).find(says) != std::string::npos);
}

} // namespace

TEST_CASE("managed memory is one for host code and kernels") {
  check_right("managed", "managed: total 6363196, calls 2, wrong 0\n");
}
TEST_CASE("host code that does not wait for a kernel races with it over managed memory") {
  check_wrong("managed", 1, "race in weigh");
  check_wrong("managed", 1, "which host code reads before it has waited for the kernel");
  check_wrong("managed", 2, "reads weights[0] (byte 0), which host code writes before");
}

TEST_CASE("memory is allocated and freed in the order of streams") {
  check_right("stream_memory", "wrong 0\n");
}
TEST_CASE("memory of a stream is used behind its allocation and before its release") {
  check_wrong("stream_memory", 1, "which cudaMallocAsync in another stream allocates");
  check_wrong("stream_memory", 2, "use after free in fill");
  check_wrong("stream_memory", 3, "which cudaFreeAsync in another stream frees");
}

TEST_CASE("graphs are captured, built, updated and launched") {
  check_right("graphs", "graphs: sum 12000, nodes 4, wrong 0\n");
}
TEST_CASE("a graph without an edge has a race, and what cannot be captured is told") {
  check_wrong("graphs", 1, "in another stream");
  check_wrong("graphs", 2, "allocates: cudaErrorStreamCaptureUnsupported");
  check_wrong("graphs", 2, "call it before cudaStreamBeginCapture or after cudaStreamEndCapture");
  check_wrong("graphs", 3, "cudaErrorStreamCaptureImplicit");
  check_wrong("graphs", 4, "cudaErrorStreamCaptureUnjoined");
  check_wrong("graphs", 5, "update: cudaErrorGraphExecUpdateFailure");
}

} // namespace course::cli

#include "report/words/ended_words.hpp"

#include <doctest/doctest.h>

#include <csignal>
#include <set>

namespace course::report {
namespace {

namespace endings = judge::endings;

const endings::Call kCall{"transpose", judge::matrix(32, 32)};

endings::Crashed touching(endings::Crashed::Touched what) {
  return {kCall, SIGSEGV, "", std::move(what), {}};
}

std::vector<judge::EndedBy> all() {
  using Why = endings::Rejected::Why;
  using How = endings::NotReturned::How;
  std::vector<judge::EndedBy> all{
      endings::NoToolkit{},
      endings::Unreadable{"a.cu", "Permission denied"},
      endings::SymbolicLink{"a.cu"},
      endings::TooLong{"a.cu", 1 << 20},
      endings::Empty{"a.cu", "05_transpose/2_pad"},
      endings::NoFunction{"a.cu", "void f()", {}},
      endings::NotLoaded{},
      endings::NotLoaded{"no such symbol"},
      endings::NotExported{"void f()", ""},
      endings::NotExported{"void f()", "there is none"},
      endings::NotStarted{},
      endings::NotStarted{"no room"},
      endings::TooMuchAsked{kCall},
      endings::UnknownCall{"cudaMemcpy2D"},
      endings::UnknownCall{"cudaMemcpy2D", 0, 12},
      endings::UnknownCall{"cudaMallocManaged", SIGSEGV},
      endings::ManagedVariable{"factor"},
      endings::ManagedVariable{"factor", 3},
      endings::TooMuchMemory{768 << 20},
      endings::TooMuchTime{60},
      endings::NoProcess{},
      endings::NotExecutable{"`wgmma` on line 12"},
      endings::NotTimeable{
          {judge::NotOnGpu::Why::driver, false, "Tesla T4", 75, 0, false, "", 0, 0, 0, "no"}},
      endings::LaunchFails{kCall, "", "", {}},
      endings::LaunchFails{kCall, "cudaLaunchKernel", "error", {}},
      endings::LaunchFails{kCall, "cudaLaunchKernel", "error", "why"},
      endings::KernelEnded{},
      endings::KernelEnded{"by a trap"},
      endings::SolutionFails{"2_pad.cu", "", endings::NoToolkit{}},
      endings::SolutionFails{"2_pad.cu", judge::matrix(32, 32), endings::KernelEnded{"by a trap"}},
      endings::Unwritten{kCall, "out", 7, 1200},
      endings::ReferenceFails{"reference.cpp", endings::Unwritten{kCall, "out", 7, 1}}};
  for (const auto why : {Why::diagnostics, Why::timed_out, Why::too_large, Why::out_of_memory})
    all.push_back(endings::Rejected{why, "a.cu"});
  for (const int signal : {SIGFPE, SIGSEGV, SIGBUS, SIGABRT, SIGSYS, SIGILL, SIGTRAP, SIGUSR1})
    all.push_back(endings::Crashed{kCall, signal, ""});
  for (const bool writes : {false, true}) {
    all.push_back(touching({0x8, writes, false, ""}));
    all.push_back(touching({0x7fff0000, writes, false, ""}));
    all.push_back(touching({0x1000000000, writes, true, ""}));
    all.push_back(touching({0x1000000000, writes, true, "out"}));
  }
  for (const auto how : {How::still_running, How::exited, How::memory, How::output, How::file_size,
                         How::too_large, How::bad_protocol, How::unknown})
    all.push_back(endings::NotReturned{how, kCall, 2 << 20, ""});
  return all;
}

} // namespace

TEST_CASE("each ending says what happened in words of its own, and what to do") {
  std::set<std::string> headlines;
  for (const auto& how : all()) {
    const auto words = ended_words(how);
    INFO(words.headline);
    CHECK(headlines.insert(words.headline).second);
    CHECK(words.headline.find("  ") == std::string::npos);
    CHECK_FALSE(words.headline.empty());
    CHECK_FALSE(words.advice.empty());
  }
}

TEST_CASE("amounts are said in the unit that a person counts in") {
  using How = endings::NotReturned::How;
  const auto headline = [](How how, double amount) {
    return ended_words(endings::NotReturned{how, kCall, amount, ""}).headline;
  };
  CHECK(headline(How::still_running, 10) ==
        "transpose() had not returned after 10 s for a 32 x 32 matrix.");
  CHECK(headline(How::exited, 3) ==
        "transpose() ended the whole program with exit code 3 for a 32 x 32 matrix.");
  CHECK(headline(How::memory, 2048u << 20) ==
        "transpose() needed more than 2048 MiB of host memory for a 32 x 32 matrix.");
  CHECK(headline(How::output, 256 << 10) ==
        "transpose() printed more than 256 KiB, and was ended for a 32 x 32 matrix.");
}

TEST_CASE("a crash names what was touched, and guesses at nothing else") {
  const auto out = ended_words(touching({0x1000000000, true, true, "out"}));
  CHECK(out.headline == "transpose() crashed for a 32 x 32 matrix: host code wrote to `out`, which "
                        "is in the GPU's memory (SIGSEGV).");
  const auto null = ended_words(touching({0x8, false, false, ""}));
  CHECK(null.headline == "transpose() crashed for a 32 x 32 matrix: host code read at address 0x8, "
                         "where it has no memory (SIGSEGV).");
  CHECK(null.advice.find("null pointer") != std::string::npos);
  const auto unknown = ended_words(endings::Crashed{kCall, SIGSEGV, ""});
  CHECK(unknown.advice.find("GPU") == std::string::npos);
}

TEST_CASE("a crash after a CUDA call that was refused names the call first") {
  auto crash = touching({0, true, false, ""});
  crash.refused = {"cudaMalloc", "cudaErrorMemoryAllocation"};
  const auto words = ended_words(crash);
  CHECK(words.headline.starts_with("cudaMalloc was refused with cudaErrorMemoryAllocation"));
  CHECK(words.headline.find("wrote to address 0x0") != std::string::npos);
  CHECK(words.advice.starts_with("Begin with the call"));
  CHECK(ended_words(endings::UnknownCall{"cudaMallocManaged", SIGSEGV})
            .headline.starts_with("Host code calls cudaMallocManaged"));
}

TEST_CASE("what was judged has no such words") {
  CHECK(ended_words(judge::Verdict{}).headline.empty());
  CHECK(ended_words(judge::Verdict{}).advice.empty());
}

} // namespace course::report

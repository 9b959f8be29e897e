#include "doctor/examine.hpp"

#include <doctest/doctest.h>

#include <algorithm>

namespace course::doctor {
namespace {

Facts healthy() {
  Facts facts;
  facts.nvcc = "/usr/local/cuda/bin/nvcc";
  facts.toolkit = "13.0.88";
  facts.sandbox = "bubblewrap";
  facts.cache = "/home/me/.cache/shared_memory_course";
  facts.cache_writable = true;
  facts.gpu.usable = true;
  facts.gpu.gpu = "NVIDIA H200";
  facts.gpu.major = 9;
  facts.gpu.driver = "13.0";
  facts.gpu.memory = 140ull << 30;
  facts.gpu.cupti = "/usr/local/cuda/lib64/libcupti.so.13";
  facts.book = {{"doxygen", "/usr/bin/doxygen", "doxygen"}};
  return facts;
}

const Finding& named(const std::vector<Finding>& findings, const std::string& name) {
  const auto found = std::find_if(findings.begin(), findings.end(),
                                  [&](const Finding& one) { return one.name == name; });
  REQUIRE(found != findings.end());
  return *found;
}

} // namespace

TEST_CASE("a machine with everything has no remedy, and can grade") {
  const auto findings = examine(healthy());
  for (const auto& one : findings) {
    INFO(one.name);
    CHECK(one.ok);
    CHECK(one.remedy.empty());
    CHECK_FALSE(one.found.empty());
  }
  CHECK(can_grade(findings));
}

TEST_CASE("without a GPU everything but time can be graded") {
  auto facts = healthy();
  facts.gpu = {};
  facts.gpu.reason = "libcuda.so.1 cannot be opened";
  const auto findings = examine(facts);
  const auto& gpu = named(findings, "GPU");
  CHECK_FALSE(gpu.ok);
  CHECK(gpu.remedy.find("driver") != std::string::npos);
  CHECK(can_grade(findings));
}

TEST_CASE("of a GPU before Hopper it is said what it can time, and whose counts there are") {
  auto facts = healthy();
  facts.gpu.gpu = "NVIDIA GeForce RTX 3060";
  facts.gpu.major = 8;
  facts.gpu.minor = 6;
  facts.gpu.cupti.clear(); // nobody asks it
  facts.exercises = 60;
  facts.untimed = {"08_tiled_product/5_library", "11_async_memory/1_ring"};
  const auto findings = examine(facts);
  CHECK(named(findings, "GPU").found.find("compute capability 8.6") != std::string::npos);
  CHECK(named(findings, "exercises").found ==
        "58 of 60 can be graded on it, time included; on the emulated device, all but time: "
        "08_tiled_product/5_library, 11_async_memory/1_ring");
  CHECK(named(findings, "counters").found.find("emulated H200") != std::string::npos);
  CHECK(can_grade(findings));
  CHECK(gpu_takes_part(facts));
}

TEST_CASE("a GPU that CUDA 13 does not compile for takes no part, and it is said why") {
  auto facts = healthy();
  facts.gpu.gpu = "Tesla P100-PCIE-16GB";
  facts.gpu.major = 6;
  const auto findings = examine(facts);
  CHECK_FALSE(named(findings, "GPU").ok);
  CHECK(named(findings, "GPU").found == "the Tesla P100-PCIE-16GB has compute capability 6.0, and "
                                        "CUDA 13 compiles for 7.5 and later");
  CHECK(can_grade(findings));
  CHECK_FALSE(gpu_takes_part(facts));
}

TEST_CASE("without nvcc, a built grader, a sandbox or a cache nothing can be graded") {
  for (const int lacks : {0, 1, 2, 3}) {
    auto facts = healthy();
    if (lacks == 0) facts.nvcc.clear();
    if (lacks == 1) facts.unbuilt = "course_host is not built";
    if (lacks == 2) facts.to_contain = "install the package bubblewrap";
    if (lacks == 3) facts.cache_writable = false;
    const auto findings = examine(facts);
    CAPTURE(lacks);
    CHECK_FALSE(can_grade(findings));
    const auto broken =
        std::count_if(findings.begin(), findings.end(), [](const Finding& one) { return !one.ok; });
    CHECK(broken == 1);
  }
}

TEST_CASE("where nothing contains a program, what has to be done is said") {
  auto facts = healthy();
  facts.sandbox = "process";
  facts.to_contain = "install the package bubblewrap";
  CHECK(
      named(examine(facts), "sandbox").remedy ==
      "install the package bubblewrap; or, for files that you trust, grade with --sandbox process");
}

TEST_CASE("who has no GPU is told first that there is nothing to do") {
  auto facts = healthy();
  facts.gpu.usable = false;
  facts.gpu.reason = "libcuda.so.1: cannot open shared object file";
  const auto findings = examine(facts);
  const auto& gpu = named(findings, "GPU");
  CHECK(gpu.remedy.starts_with("without a GPU there is nothing to do"));
}

TEST_CASE("refused counters come with the reason and with what an administrator can do") {
  auto facts = healthy();
  facts.gpu.counters = "CUPTI_ERROR_INSUFFICIENT_PRIVILEGES";
  const auto findings = examine(facts);
  const auto& counters = named(findings, "counters");
  CHECK_FALSE(counters.ok);
  CHECK(counters.found == facts.gpu.counters);
  CHECK(counters.remedy.find("NVreg_RestrictProfilingToAdminUsers=0") != std::string::npos);
  CHECK(can_grade(findings));
}

TEST_CASE("a busy or slowed GPU, a missing CUPTI and a missing book tool are said") {
  auto facts = healthy();
  facts.gpu.conditions.other_processes = 2;
  facts.gpu.conditions.throttled = {"power cap"};
  facts.gpu.cupti.clear();
  facts.book[0].path.clear();
  const auto findings = examine(facts);
  CHECK(named(findings, "quiet GPU").found == "2 other processes on it, throttled: power cap");
  CHECK_FALSE(named(findings, "CUPTI").ok);
  CHECK(named(findings, "book: doxygen").remedy == "apt-get install doxygen");
}

} // namespace course::doctor

#include "contest/provenance.hpp"

#include <doctest/doctest.h>

namespace course::contest {
namespace {

Provenance somewhere() {
  return {"NVIDIA H200",       9,         0,
          "580.1.2",           "13.0",    "13.0.88",
          "2026-11-21",        "1c740c8", "course measure latency",
          "cycles of one warp"};
}

} // namespace

TEST_CASE("a table's first lines name device, driver, toolkit, date, commit, command and method") {
  CHECK(header(somewhere()) ==
        "# device: NVIDIA H200, compute capability 9.0; driver 580.1.2, CUDA 13.0; nvcc 13.0.88\n"
        "# date: 2026-11-21; commit 1c740c8\n"
        "# command: course measure latency; cycles of one warp\n");
}

TEST_CASE("a value cannot begin a line of its own") {
  auto from = somewhere();
  from.commit = "none\nwhat,cycles";
  CHECK(header(from).find("\nwhat") == std::string::npos);
}

TEST_CASE("the header takes the place of the remarks that a table had") {
  const auto text = with_header(somewhere(), "# old\n# older\na,b\n1,2\n");
  CHECK(text == header(somewhere()) + "a,b\n1,2\n");
  CHECK(with_header(somewhere(), "# only a remark") == header(somewhere()));
}

TEST_CASE("JSON says the same in fields of its own") {
  const auto text = with_fields(somewhere(), R"({"gpu": "NVIDIA H200", "results": [1]})");
  CHECK(text.find("\"commit\": \"1c740c8\"") != std::string::npos);
  CHECK(text.find("\"driver_version\": \"580.1.2\"") < text.find("\"results\""));
  CHECK(with_fields(somewhere(), "no JSON") == "no JSON");
}

TEST_CASE("the driver's version is found in what the system says of it") {
  CHECK(driver_version("NVRM version: NVIDIA UNIX Open Kernel Module for x86_64  580.159.04  "
                       "Release Build  (dvs)\nGCC version:  gcc version 12.3.0\n") == "580.159.04");
  CHECK(driver_version("580.159.04\n") == "580.159.04");
  CHECK(driver_version("no driver, version 13.0") == "unknown");
  CHECK(driver_version("") == "unknown");
}

} // namespace course::contest

// Files of data/ for tests, compiled once by the nvcc of this machine.
#pragma once

#include "device/device.hpp"

#include <doctest/doctest.h>

#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

namespace course::gpu {

// PTX and machine code for a compute capability. The source is below $COURSE_SOURCE, else where it
// was when the test was built. A test that has no nvcc fails here.
inline device::Module compiled(const std::string& file, const std::string& capability) {
  std::string root = COURSE_SOURCE_DIR, nvcc = "nvcc";
  if (const char* other = std::getenv("COURSE_SOURCE")) root = other;
  if (std::filesystem::exists("/usr/local/cuda/bin/nvcc")) nvcc = "/usr/local/cuda/bin/nvcc";
  std::string scratch = std::filesystem::temp_directory_path() / "course_checks_XXXXXX";
  REQUIRE(mkdtemp(scratch.data()));
  const auto made_with = [&](const std::string& flags) {
    const std::string output = scratch + "/output";
    const std::string command = "'" + nvcc + "' -std=c++20 -lineinfo " + flags + " -o '" + output +
                                "' '" + root + "/grader/device/gpu/data/" + file + "'";
    REQUIRE(std::system(command.c_str()) == 0);
    std::ifstream made(output, std::ios::binary);
    return std::string{std::istreambuf_iterator<char>(made), {}};
  };
  device::Module made{made_with("-ptx -arch=compute_" + capability), {}};
  const std::string cubin = made_with("-cubin -arch=sm_" + capability);
  made.cubin.resize(cubin.size());
  std::memcpy(made.cubin.data(), cubin.data(), cubin.size());
  std::filesystem::remove_all(scratch);
  return made;
}

inline const device::Module& compiled_checks() {
  static const device::Module module = compiled("checks.cu", "90");
  return module;
}

} // namespace course::gpu

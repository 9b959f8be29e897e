// For tests: the compilations in data/.
#pragma once

#include "device/code/ptx/parse.hpp"
#include "device/code/sass/access_widths.hpp"

#include <doctest/doctest.h>

#include <cstddef>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

namespace course::sass {

inline std::string sample_text(const std::string& name) {
  const std::string path = std::string(COURSE_SOURCE_DIR) + "/grader/device/code/sass/data/" + name;
  std::ifstream file(path);
  REQUIRE_MESSAGE(file, path);
  return {std::istreambuf_iterator<char>(file), {}};
}

inline std::vector<std::byte> sample_cubin(const std::string& name) {
  std::vector<std::byte> bytes;
  std::string digits;
  for (const char c : sample_text(name + ".hex")) {
    if (c == '\n') continue;
    digits += c;
    if (digits.size() < 2) continue;
    bytes.push_back(static_cast<std::byte>(std::stoi(digits, nullptr, 16)));
    digits.clear();
  }
  return bytes;
}

inline Cubin sample_read(const std::string& name) {
  auto result = read(sample_cubin(name));
  if (auto* error = std::get_if<Error>(&result)) FAIL(error->message);
  return std::get<Cubin>(std::move(result));
}

inline ptx::Module sample_module(const std::string& name) {
  auto result = ptx::parse(sample_text(name + ".ptx"));
  REQUIRE(std::holds_alternative<ptx::Module>(result));
  return std::get<ptx::Module>(std::move(result));
}

} // namespace course::sass

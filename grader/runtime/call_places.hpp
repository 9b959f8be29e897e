// Where in a program's sources a call of CUDA stands, found by the addresses that it came from.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <span>
#include <string>
#include <vector>

namespace course::runtime {

class CallPlaces {
public:
  // Of a program that its user trusts: binutils' addr2line reads it. No file: no places.
  explicit CallPlaces(std::filesystem::path program = {}) : program_(std::move(program)) {}

  // "main.cu:24" for return addresses in the program, from the inside out, less where it was
  // loaded; empty where it was compiled without -g, or where too many were asked for.
  std::string of(const std::vector<std::uint64_t>& addresses);

private:
  std::filesystem::path program_;
  std::map<std::vector<std::uint64_t>, std::string> known_;
};

// What addr2line says, as the first place that is not of the system's or of CUDA's headers.
std::string first_own_place(std::string_view said);

} // namespace course::runtime

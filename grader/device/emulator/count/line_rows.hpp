// Counters by access become rows by kernel, line and kind of access.
#pragma once

#include "device/emulator/count/access_counter.hpp"

#include <map>
#include <string>
#include <tuple>
#include <unordered_map>
#include <vector>

namespace course::emulator {

class Program;
struct Code;

// Instructions executed, by operation, in each function.
using Executed = std::unordered_map<const Code*, std::vector<std::uint64_t>>;
void add(Executed& to, const Executed& from);

class LineRows {
public:
  // `entry` of the program, mangled, and how it is shown.
  void add(const Program&, const std::string& entry, const std::string& kernel, const Counters&);
  std::vector<device::LineCounts> rows() const;

private:
  using Key = std::tuple<std::string, std::string, std::uint32_t, std::string>;
  std::map<Key, std::pair<device::LineCounts, AccessCounter>> rows_;
};

class InstructionRows {
public:
  void add(const Program&, const std::string& kernel, const Executed&);
  std::vector<device::LineInstructions> rows() const;

private:
  std::map<std::tuple<std::string, std::string, std::uint32_t>, std::uint64_t> rows_;
};

} // namespace course::emulator

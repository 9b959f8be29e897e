// What a program writes to its standard output, kept while it is passed on.
#pragma once

#include "system/descriptor.hpp"

#include <atomic>
#include <cstddef>
#include <string>
#include <thread>

namespace course::cli {

class Heard {
public:
  // Passes it on to the descriptor `to`; -1: to nobody.
  explicit Heard(int to);
  Heard(const Heard&) = delete; // its thread knows it
  Heard& operator=(const Heard&) = delete;
  ~Heard() { end(); }

  int output() const { return theirs_.get(); } // for the program
  // When the program has ended: what it wrote, the first megabyte.
  const std::string& end();

private:
  static constexpr std::size_t kMost = 1u << 20;
  void listen();

  int to_;
  system::Descriptor ours_, theirs_;
  std::string text_;
  std::atomic<bool> over_{false};
  std::thread thread_;
};

} // namespace course::cli

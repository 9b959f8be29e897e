// Random programs of one thread: assignments, if and else, loops with break and continue, early
// return. Each has two meanings: PTX for the emulated device, and evaluation of one thread at a
// time here, which knows nothing of warps.
#pragma once

#include "device/emulator/differential/lane_data.hpp"

#include <array>
#include <string>
#include <vector>

namespace course::emulator::differential {

inline constexpr std::size_t kRegisters = 6;

struct Statement {
  enum class Kind {
    assign,
    guarded,      // an assignment under a predicate
    branch,       // if, else
    loop_while,   // tested at its top
    loop_until,   // tested at its bottom: at least one turn
    leave_loop,   // break, under a condition
    next_turn,    // continue, under a condition
    return_early, // under a condition
    meet,         // at the top level: notes which lanes are active
  } kind = Kind::assign;

  // register[to] = register[a] op register[b]
  std::size_t operation = 0, to = 0, a = 0, b = 0;
  // Condition: (register[a] & mask) < bound. Loops: register[a] & mask turns.
  std::uint32_t mask = 0, bound = 0;
  std::vector<Statement> body, otherwise;
};

class Program {
public:
  explicit Program(LaneData&);

  // An entry `k` with parameters out, in: in has a word a thread, out kWords of them.
  std::string ptx() const;
  std::size_t meetings() const { return meetings_; }

  struct Outcome {
    std::array<std::uint32_t, kRegisters> registers{};
    std::size_t meetings = 0; // that the thread came to before it returned
  };
  Outcome evaluate(std::uint32_t thread, std::uint32_t input) const;

  // Of a thread's results: the registers, then the active lanes at each meeting.
  static constexpr std::size_t kMostMeetings = 10;
  static constexpr std::size_t kWords = kRegisters + kMostMeetings;

private:
  std::vector<Statement> statements_;
  std::size_t meetings_ = 0;
};

} // namespace course::emulator::differential

// The blocks of a launch on one worker, in rounds.
//
// Blocks that wait for others are set aside, and others begun; then all take turns, the last begun
// first, as it may be what the others wait for. Where those of a sample wait for long, it may be
// for one that was left out: some of these are begun as well.
#pragma once

#include "device/emulator/execute/grid_execution.hpp"

#include <memory>
#include <optional>
#include <vector>

namespace course::emulator {

class OneByOne {
public:
  // It is the only one that executes anything of it.
  explicit OneByOne(GridExecution&);

  // Each block that runs has a turn; a launch of clusters is executed whole. False: nothing was
  // left to do.
  bool round();
  // After the last round, of a launch that was stopped: what its blocks did so far.
  void count_stopped();

private:
  struct Running {
    std::size_t index; // of its Block
    std::uint64_t place;
    BlockTurns::Block turns = {};
  };
  void begin_blocks();
  std::size_t give_turns(); // how many wait at the barrier of the grid
  void let_stopped_go_on(bool still);
  void report_deadlock();

  GridExecution& all_;
  const Launch& launch_;
  Liberties* const liberties_;
  std::optional<BlockTurns> turns_;
  // At liberty: more only where none of them ends, as it may wait for one that has not begun.
  std::size_t together_ = 16;
  std::uint64_t limit_, next_ = 0; // places
  int rounds_without_end_ = 0, rounds_of_waiting_ = 0, idle_rounds_ = 0;
  std::vector<std::unique_ptr<Interpreter>> interpreters_;
  std::vector<std::size_t> free_;
  std::vector<Running> running_;
};

} // namespace course::emulator

// A block with what the layers keep of it. One worker has it for all its blocks of a launch.
#pragma once

#include "device/emulator/check/checker.hpp"
#include "device/emulator/count/access_counter.hpp"
#include "device/emulator/state/block.hpp"

namespace course::emulator {

struct WorkerBlock : Block {
  WorkerBlock() {
    counters = &counted;
    checker = &checked;
  }
  WorkerBlock(const WorkerBlock&) = delete;

  Counters counted;
  Checker checked{*this};
};

} // namespace course::emulator

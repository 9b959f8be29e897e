// The time that a device needs at least for what was counted: each of its parts is busy for some
// time, at its highest rate, and the kernel takes as long as the busiest of them, or longer. What
// it waits for beside that (answers on their way, barriers, the start of blocks) is not counted.
#pragma once

#include "device/model/rates.hpp"
#include "judge/counts.hpp"
#include "judge/facts.hpp"

namespace course::judge {

// What an execution amounted to, of which a larger one takes so many times as much.
struct Work {
  double instructions = 0, passes = 0, loaded_sectors = 0, stored_sectors = 0;
  double bytes = 0; // of the arrays that are read and written, each once

  bool operator==(const Work&) const = default;
};

Work work_of(const Counts&); // without the bytes

facts::LeastTime least_time(const Work&, const model::Rates&);

} // namespace course::judge

#include "judge/least_time.hpp"

#include <algorithm>

namespace course::judge {

Work work_of(const Counts& counts) {
  const auto passes = counts.shared_loads.wavefronts + counts.shared_stores.wavefronts +
                      counts.shared_atomics.ideal; // values decide how many more it takes
  return {static_cast<double>(counts.instructions), static_cast<double>(passes),
          static_cast<double>(counts.global_loads.sectors),
          static_cast<double>(counts.global_stores.sectors), 0};
}

facts::LeastTime least_time(const Work& work, const model::Rates& rates) {
  const double cycles = rates.cycles_a_second * rates.multiprocessors; // of all together, a second
  facts::LeastTime least;
  least.memory = work.bytes / rates.memory;
  least.sectors = std::max(work.loaded_sectors / rates.loaded_sectors,
                           work.stored_sectors / rates.stored_sectors) /
                  cycles;
  least.passes = work.passes / rates.passes / cycles;
  least.instructions = work.instructions / rates.instructions / cycles;
  return least;
}

} // namespace course::judge

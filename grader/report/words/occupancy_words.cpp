#include "report/words/occupancy_words.hpp"

#include "report/words/numbers.hpp"

namespace course::report {

std::string what_limits(const judge::facts::Occupied& found) {
  const auto& sm = found.room;
  const auto number = [](int count) { return thousands(static_cast<std::uint64_t>(count)); };
  using Limit = model::OccupancyLimit;
  if (!found.limit) return "";
  switch (*found.limit) {
  case Limit::threads:
    return tr("an SM has room for {} threads, and a block has {}", number(sm.threads),
              thousands(found.threads));
  case Limit::registers:
    return tr("an SM has {} registers, and a block of {} threads takes {} for each",
              number(sm.registers), thousands(found.threads), found.registers);
  case Limit::shared_memory:
    return tr("an SM has {} bytes of shared memory, and a block takes {} and {} for the "
              "system",
              thousands(sm.shared_bytes), thousands(found.shared_bytes),
              thousands(sm.reserved_shared_bytes_a_block));
  case Limit::blocks:
    return tr("an SM has room for {} blocks, of whatever size", sm.blocks);
  case Limit::nothing_fits:
    break;
  }
  return tr("not even one block fits");
}

} // namespace course::report

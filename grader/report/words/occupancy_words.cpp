#include "report/words/occupancy_words.hpp"

#include "device/model/architecture.hpp"
#include "report/words/numbers.hpp"

namespace course::report {

std::string what_limits(const judge::facts::Occupied& found) {
  constexpr auto& kSm = model::kH200.multiprocessor;
  const auto number = [](int count) { return thousands(static_cast<std::uint64_t>(count)); };
  using Limit = model::OccupancyLimit;
  if (!found.limit) return "";
  switch (*found.limit) {
  case Limit::threads:
    return tr("an SM has room for {} threads, and a block has {}", number(kSm.threads),
              thousands(found.threads));
  case Limit::registers:
    return tr("an SM has {} registers, and a block of {} threads takes {} for each",
              number(kSm.registers), thousands(found.threads), found.registers);
  case Limit::shared_memory:
    return tr("an SM has {} bytes of shared memory, and a block takes {} and {} for the "
              "system",
              thousands(kSm.shared_bytes), thousands(found.shared_bytes),
              thousands(kSm.reserved_shared_bytes_a_block));
  case Limit::blocks:
    return tr("an SM has room for {} blocks, of whatever size", kSm.blocks);
  case Limit::nothing_fits:
    break;
  }
  return tr("not even one block fits");
}

} // namespace course::report

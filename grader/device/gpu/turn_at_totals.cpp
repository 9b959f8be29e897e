#include "device/gpu/turn_at_totals.hpp"

#include "system/file_lock.hpp"

#include <fcntl.h>
#include <sys/file.h>

namespace course::gpu {
namespace {

// A file that is there on every machine with a GPU and that every user may hold.
constexpr const char* kDriver = "/dev/nvidiactl";

bool counts_totals(const Command& command) {
  const auto* execute = std::get_if<Execute>(&command);
  return execute &&
         (execute->counting == Counting::totals || execute->counting == Counting::remote_totals);
}

} // namespace

TurnAtTotals::TurnAtTotals(const Command& command) {
  if (!counts_totals(command)) return;
  driver_ = system::Descriptor(open(kDriver, O_RDONLY | O_CLOEXEC));
  if (driver_) system::lock(driver_.get(), LOCK_EX);
}

} // namespace course::gpu

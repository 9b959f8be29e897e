#include "confine.hpp"

#include "sandbox/keeper/filter.hpp"
#include "sandbox/keeper/landlock.hpp"
#include "sandbox/keeper/process_limits.hpp"
#include "system/argument_pointers.hpp"

#include <cerrno>
#include <csignal>
#include <fcntl.h>
#include <grp.h>
#include <linux/capability.h>
#include <linux/close_range.h>
#include <linux/securebits.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace course::sandbox {
namespace {

// The one capability that is kept, if any, through the change of user and through exec.
bool keep_capability(unsigned capability) {
  __user_cap_header_struct header{_LINUX_CAPABILITY_VERSION_3, 0};
  __user_cap_data_struct data[2]{};
  const std::uint32_t bit = 1u << capability;
  data[0] = {bit, bit, bit};
  return syscall(SYS_capset, &header, data) == 0 &&
         prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_RAISE, capability, 0, 0) == 0;
}

bool become(const Order& order) {
  const uid_t user = *order.user;
  // Capabilities are then left alone by the change of user, to be given up below, and access(2)
  // goes by those that are left, as open(2) does.
  if (order.reads_all_modes && prctl(PR_SET_SECUREBITS, SECBIT_NO_SETUID_FIXUP) != 0) return false;
  // In some containers groups cannot be set; then there are none to give up.
  if (setgroups(0, nullptr) != 0 && errno != EPERM) return false;
  if (setresgid(user, user, user) != 0 || setresuid(user, user, user) != 0) return false;
  return !order.reads_all_modes || keep_capability(CAP_DAC_READ_SEARCH);
}

} // namespace

Step confine_and_run(const Order& order) {
  const auto argv = system::argument_pointers(order.argv);
  const auto environment = system::argument_pointers(order.environment);
  // Otherwise a signal to its process group would reach the keeper.
  if (setsid() < 0) return Step::session;
  if (chdir(order.directory.c_str()) != 0) return Step::directory;
  if (!limit_resources(order)) return Step::limits;
  // What a program makes of an address should be the same each time. Where that is refused, it runs
  // all the same.
  personality(ADDR_NO_RANDOMIZE);
  if (order.user && !become(order)) return Step::user;
  // After the change of user, which clears it.
  if (prctl(PR_SET_PDEATHSIG, SIGKILL) != 0) return Step::session;
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return Step::user;
  if (order.landlock && !restrict_files(order)) return Step::landlock;
  if (order.filter && !refuse_system_calls(order.shares_user)) return Step::filter;
  const unsigned first_closed = order.channel ? kChannelDescriptor + 1 : kChannelDescriptor;
  if (syscall(SYS_close_range, first_closed, ~0u, CLOSE_RANGE_CLOEXEC) != 0) return Step::session;
  if (!limit_memory(order)) return Step::limits;
  execve(argv[0], argv.data(), environment.data());
  return Step::run;
}

} // namespace course::sandbox

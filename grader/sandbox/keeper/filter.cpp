#include "filter.hpp"

#include <cerrno>
#include <cstdint>

#ifndef COURSE_HAVE_SECCOMP

bool course::sandbox::refuse_system_calls(bool) {
  errno = ENOSYS;
  return false;
}

#else

#include <array>
#include <fcntl.h>
#include <sched.h>
#include <seccomp.h>
#include <span>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace course::sandbox {
namespace {

// Other processes' memory and descriptors, name spaces and mounts, keys, the kernel's own
// machinery, and shared memory that would outlive the program. No sockets at all: the channel is
// open already.
constexpr std::array kRefused = {
    SCMP_SYS(ptrace),
    SCMP_SYS(process_vm_readv),
    SCMP_SYS(process_vm_writev),
    SCMP_SYS(process_madvise),
    SCMP_SYS(pidfd_getfd),
    SCMP_SYS(kcmp),
    SCMP_SYS(unshare),
    SCMP_SYS(setns),
    SCMP_SYS(mount),
    SCMP_SYS(umount2),
    SCMP_SYS(pivot_root),
    SCMP_SYS(chroot),
    SCMP_SYS(fsopen),
    SCMP_SYS(fsconfig),
    SCMP_SYS(fsmount),
    SCMP_SYS(fspick),
    SCMP_SYS(move_mount),
    SCMP_SYS(open_tree),
    SCMP_SYS(mount_setattr),
    SCMP_SYS(open_by_handle_at),
    SCMP_SYS(keyctl),
    SCMP_SYS(add_key),
    SCMP_SYS(request_key),
    SCMP_SYS(bpf),
    SCMP_SYS(perf_event_open),
    SCMP_SYS(io_uring_setup),
    SCMP_SYS(io_uring_enter),
    SCMP_SYS(io_uring_register),
    SCMP_SYS(userfaultfd),
    SCMP_SYS(fanotify_init),
    SCMP_SYS(kexec_load),
    SCMP_SYS(kexec_file_load),
    SCMP_SYS(init_module),
    SCMP_SYS(finit_module),
    SCMP_SYS(delete_module),
    SCMP_SYS(reboot),
    SCMP_SYS(swapon),
    SCMP_SYS(swapoff),
    SCMP_SYS(acct),
    SCMP_SYS(quotactl),
    SCMP_SYS(syslog),
    SCMP_SYS(vhangup),
    SCMP_SYS(shmget),
    SCMP_SYS(shmat),
    SCMP_SYS(semget),
    SCMP_SYS(msgget),
    SCMP_SYS(mq_open),
    SCMP_SYS(socket),
};

// What a process may do to others of its user, and to its user's files, whatever Landlock says:
// their priority and their processors, modes, owners, times, attributes, and length (before version
// 3).
constexpr int kFchmodat2 = 452; // Linux 6.6, newer than this libseccomp
constexpr std::array kRefusedWithSharedUser = {
    SCMP_SYS(pidfd_open),
    SCMP_SYS(pidfd_send_signal),
    SCMP_SYS(setpriority),
    SCMP_SYS(ioprio_set),
    SCMP_SYS(sched_setaffinity),
    SCMP_SYS(sched_setscheduler),
    SCMP_SYS(sched_setparam),
    SCMP_SYS(sched_setattr),
    SCMP_SYS(migrate_pages),
    SCMP_SYS(move_pages),
    SCMP_SYS(chmod),
    SCMP_SYS(fchmod),
    SCMP_SYS(fchmodat),
    kFchmodat2,
    SCMP_SYS(chown),
    SCMP_SYS(fchown),
    SCMP_SYS(lchown),
    SCMP_SYS(fchownat),
    SCMP_SYS(utime),
    SCMP_SYS(utimes),
    SCMP_SYS(futimesat),
    SCMP_SYS(utimensat),
    SCMP_SYS(setxattr),
    SCMP_SYS(lsetxattr),
    SCMP_SYS(fsetxattr),
    SCMP_SYS(removexattr),
    SCMP_SYS(lremovexattr),
    SCMP_SYS(fremovexattr),
    SCMP_SYS(truncate),
};

// Their first argument is the process, or the group, that the signal is for.
constexpr std::array kSignals = {
    SCMP_SYS(kill),
    SCMP_SYS(tkill),
    SCMP_SYS(tgkill),
    SCMP_SYS(rt_sigqueueinfo),
    SCMP_SYS(rt_tgsigqueueinfo),
};

using Filter = scmp_filter_ctx;

constexpr std::uint32_t kRefuse = SCMP_ACT_ERRNO(EPERM);

int refuse_all(Filter filter, std::span<const int> calls) {
  for (const int call : calls)
    if (const int error = seccomp_rule_add(filter, kRefuse, call, 0)) return error;
  return 0;
}

// New name spaces through clone. clone3 hides its flags from a filter: ENOSYS makes the C library
// fall back on clone.
int refuse_name_spaces(Filter filter) {
  constexpr std::array<std::uint64_t, 7> kFlags = {CLONE_NEWUSER,  CLONE_NEWNS,  CLONE_NEWPID,
                                                   CLONE_NEWNET,   CLONE_NEWIPC, CLONE_NEWUTS,
                                                   CLONE_NEWCGROUP};
  for (const std::uint64_t flag : kFlags)
    if (const int error = seccomp_rule_add(filter, kRefuse, SCMP_SYS(clone), 1,
                                           SCMP_A0(SCMP_CMP_MASKED_EQ, flag, flag)))
      return error;
  return seccomp_rule_add(filter, SCMP_ACT_ERRNO(ENOSYS), SCMP_SYS(clone3), 0);
}

// Typing into the terminal that the grader was started from. The kernel looks at 32 bits.
int refuse_typing(Filter filter) {
  constexpr std::uint64_t k32Bits = 0xffffffff;
  for (const std::uint64_t request : {TIOCSTI, TIOCLINUX})
    if (const int error = seccomp_rule_add(filter, kRefuse, SCMP_SYS(ioctl), 1,
                                           SCMP_A1(SCMP_CMP_MASKED_EQ, k32Bits, request)))
      return error;
  return 0;
}

int refuse_foreign_signals(Filter filter) {
  const auto self = static_cast<std::uint64_t>(getpid());
  for (const int call : kSignals)
    if (const int error = seccomp_rule_add(filter, kRefuse, call, 1, SCMP_A0(SCMP_CMP_NE, self)))
      return error;
  // Limits of another process; 0 is the caller.
  return seccomp_rule_add(filter, kRefuse, SCMP_SYS(prlimit64), 1, SCMP_A0(SCMP_CMP_NE, 0));
}

// Opening to read needs the right to read only, before version 3 of Landlock also with O_TRUNC.
int refuse_truncating_readers(Filter filter) {
  constexpr std::uint64_t kMask = O_ACCMODE | O_TRUNC, kReadAndTruncate = O_RDONLY | O_TRUNC;
  if (const int error = seccomp_rule_add(filter, kRefuse, SCMP_SYS(open), 1,
                                         SCMP_A1(SCMP_CMP_MASKED_EQ, kMask, kReadAndTruncate)))
    return error;
  if (const int error = seccomp_rule_add(filter, kRefuse, SCMP_SYS(openat), 1,
                                         SCMP_A2(SCMP_CMP_MASKED_EQ, kMask, kReadAndTruncate)))
    return error;
  // openat2 hides its flags; the C library does without it.
  return seccomp_rule_add(filter, SCMP_ACT_ERRNO(ENOSYS), SCMP_SYS(openat2), 0);
}

int refuse_with_shared_user(Filter filter) {
  int error = refuse_all(filter, kRefusedWithSharedUser);
  if (error == 0) error = refuse_foreign_signals(filter);
  if (error == 0) error = refuse_truncating_readers(filter);
  return error;
}

} // namespace

bool refuse_system_calls(bool shares_user) {
  const Filter filter = seccomp_init(SCMP_ACT_ALLOW);
  if (filter == nullptr) {
    errno = ENOMEM;
    return false;
  }
  int error = refuse_all(filter, kRefused);
  if (error == 0) error = refuse_name_spaces(filter);
  if (error == 0) error = refuse_typing(filter);
  if (error == 0 && shares_user) error = refuse_with_shared_user(filter);
  if (error == 0) error = seccomp_load(filter);
  seccomp_release(filter);
  errno = -error;
  return error == 0;
}

} // namespace course::sandbox

#endif

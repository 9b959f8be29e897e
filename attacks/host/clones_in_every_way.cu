// attack: makes name spaces by clone and clone3, with every flag alone
// against: 05_transpose/2_pad
// must: failed launch: nothing was launched
// never: name space was made

#include <cstdio>
#include <cstring>
#include <sched.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

struct CloneArguments {
  unsigned long flags, pidfd, child, parent, signal, stack, size, tls, ids, count, cgroup;
};

void transpose(float* out, const float* in, int rows, int cols) {
  const unsigned long flags[] = {CLONE_NEWUSER, CLONE_NEWNS,  CLONE_NEWPID,    CLONE_NEWNET,
                                 CLONE_NEWIPC,  CLONE_NEWUTS, CLONE_NEWCGROUP, 0x80};
  for (const unsigned long flag : flags) {
    long child = syscall(SYS_clone, flag | 17, nullptr, nullptr, nullptr, nullptr);
    if (child == 0) _exit(0);
    if (child > 0) {
      waitpid(child, nullptr, 0);
      if (flag != 0x80) std::printf("a name space was made by clone %lx\n", flag);
    }
    CloneArguments arguments{};
    arguments.flags = flag;
    arguments.signal = 17;
    child = syscall(SYS_clone3, &arguments, sizeof arguments);
    if (child == 0) _exit(0);
    if (child > 0) {
      waitpid(child, nullptr, 0);
      std::printf("a name space was made by clone3 %lx\n", flag);
    }
  }
}

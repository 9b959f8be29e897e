// attack: lays a filter of its own over its system calls, and answers them itself
// against: 05_transpose/2_pad
// must: crashed
// must: failed launch
// must: timed_out

#include <cstddef>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

// Every send and write is said to have worked.
void transpose(float* out, const float* in, int rows, int cols) {
  sock_filter rules[] = {
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr)),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_sendmsg, 3, 0),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_sendto, 2, 0),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_write, 1, 0),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | 0),
  };
  sock_fprog program{sizeof rules / sizeof *rules, rules};
  prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program);
}

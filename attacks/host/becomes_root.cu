// attack: asks for rights that it gave up, one after the other
// against: 05_transpose/2_pad
// must: failed launch: nothing was launched
// never: are mine

#include <cstdio>
#include <grp.h>
#include <linux/capability.h>
#include <sys/fsuid.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

void transpose(float* out, const float* in, int rows, int cols) {
  const uid_t before = getuid();
  if (before != 0 && (setuid(0) == 0 || setresuid(0, 0, 0) == 0)) std::puts("root's are mine");
  const int fs_before = setfsuid(0), fs_after = setfsuid(-1);
  if (before != 0 && fs_before != 0 && fs_after == 0) std::puts("root's files are mine");
  const gid_t zero = 0;
  if (setgroups(1, &zero) == 0 && getuid() != 0) std::puts("root's groups are mine");
  __user_cap_header_struct header{_LINUX_CAPABILITY_VERSION_3, 0};
  __user_cap_data_struct all[2] = {{~0u, ~0u, ~0u}, {~0u, ~0u, ~0u}};
  if (syscall(SYS_capset, &header, all) == 0) std::puts("capabilities are mine");
  if (prctl(PR_SET_NO_NEW_PRIVS, 0, 0, 0, 0) == 0) std::puts("new rights are mine");
  if (prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_RAISE, 21, 0, 0) == 0) std::puts("mounts are mine");
}

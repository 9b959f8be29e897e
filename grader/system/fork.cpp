#include "system/fork.hpp"

#include <cerrno>
#include <cstdio>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

namespace course::system {

pid_t fork_child(int with_parent) {
  std::fflush(nullptr);
  const pid_t parent = getpid();
  const pid_t child = fork();
  if (child == 0 && with_parent != 0) {
    prctl(PR_SET_PDEATHSIG, with_parent);
    if (getppid() != parent) _exit(127); // it was gone before the line above
  }
  return child;
}

int await(pid_t child) {
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  return status;
}

} // namespace course::system

// Copies of this process. All of the course's forks but the keeper's are here.
#pragma once

#include <sys/types.h>

namespace course::system {

// As fork(2): 0 in the copy, -1 with errno. What stdio holds is written first, so that it is there
// once. The copy is sent `with_parent` when the thread that called this ends; 0: it lives on.
pid_t fork_child(int with_parent);

// Waits for a child. How it ended, as waitpid(2) says it.
int await(pid_t);

} // namespace course::system

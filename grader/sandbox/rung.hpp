// What contains untrusted programs on this machine. The rungs of the ladder, the best first.
//
//   bubblewrap  name spaces: no other file, process, user or network exists for the program; and a
//               filter of system calls, limits of the kernel
//   landlock    it sees them but cannot reach them: Landlock, the filter, limits. Not bounded: the
//               number of files it writes to its scratch folder
//   process     limits only: it can read and write whatever its user can
//
// Limits bind each process; their sum only in a systemd scope (scope.hpp), which the name tells.
#pragma once

#include <string>

namespace course::sandbox {

enum class Rung { bubblewrap, landlock, process };

bool available(Rung); // tried once, then remembered
Rung best_rung();     // the one that was insisted on, else the best that is available

// From now on the rung of all programs that do not name one: to try a rung, or to accept `process`.
// Call it before any thread is started. False when it is not available.
bool insist_on(Rung);

// "bubblewrap", "landlock", "process"; with ", no seccomp" where the grader was built without
// libseccomp, which the first two need to be whole.
std::string name(Rung);

// What contains programs on this machine.
std::string rung();

} // namespace course::sandbox

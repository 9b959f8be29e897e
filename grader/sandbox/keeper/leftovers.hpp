// Processes that a program left behind.
#pragma once

namespace course::sandbox {

// Kills every descendant of this process, and waits for them, until there is none. This process
// must be a subreaper (PR_SET_CHILD_SUBREAPER), so that daemons are its descendants still.
void end_descendants();

} // namespace course::sandbox

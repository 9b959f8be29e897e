// System calls that an untrusted program has no business with are refused with EPERM.
#pragma once

namespace course::sandbox {

// From now on, for this process and all it starts. With `shares_user`, where nothing else keeps it
// from other processes and files of its user, it also may signal only itself and change no file's
// attributes.
// False with errno set when the kernel refuses, or with ENOSYS when built without libseccomp.
bool refuse_system_calls(bool shares_user);

} // namespace course::sandbox

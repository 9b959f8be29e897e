// Which version of Landlock the kernel has, and what each can do.
#pragma once

namespace course::sandbox {

// 0 where there is none: the kernel is older than 5.13, it was built without, or it is not enabled.
int landlock_version();

// From this version on, a restricted process cannot send signals to any outside.
inline constexpr int kLandlockScopesSignals = 6;

} // namespace course::sandbox

// Managed memory, which the program and the device have at the same address.
#pragma once

namespace course::client {

bool is_managed(const void* pointer);

// The allocation that starts here was freed; nothing happens when it was not managed.
void forget_managed(void* pointer);

} // namespace course::client

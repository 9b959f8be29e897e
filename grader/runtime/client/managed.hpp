// Managed memory, which the program and the device have at the same address.
#pragma once

#include <cstddef>
#include <driver_types.h>

namespace course::client {

cudaError_t allocate_managed(const char* call, void** out, std::size_t size);

bool is_managed(const void* pointer);

// Whether it points to page-locked memory of the host.
bool is_pinned(const void* pointer);

// The allocation that starts here was freed; nothing happens when it was not managed.
void forget_managed(void* pointer);

} // namespace course::client

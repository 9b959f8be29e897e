// Managed memory, which the program and the device have at the same address.
#pragma once

#include "runtime/protocol.hpp"

#include <cstddef>
#include <driver_types.h>

namespace course::client {

cudaError_t allocate_managed(const char* call, void** out, std::size_t size);

bool is_managed(const void* pointer);
bool any_managed();

// Whether it points to page-locked memory of the host.
bool is_pinned(const void* pointer);

// The allocation that starts here was freed; nothing happens when it was not managed.
void forget_managed(void* pointer);

// Kernels are done when their launch returns; on a GPU they may still be running, and host code
// that touches what they change has to wait first. So the pages that a launch has touched are out
// of the program's reach until it waits (guard.cpp), and the first touch of each is told the
// grader.
void tell_touches(const char* call);    // before a launch
void guard_managed(const char* call);   // after a launch
void release_managed(const char* call); // the host has waited

// Maps the memory that the grader shares at its address. False when that cannot be.
bool map_shared(const runtime::protocol::Shared&, std::size_t size);

} // namespace course::client

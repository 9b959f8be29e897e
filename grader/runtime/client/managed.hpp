// Managed memory, which the program and the device have at the same address: what it registers is
// like it.
#pragma once

#include "runtime/protocol.hpp"

#include <cstddef>
#include <cstdint>
#include <driver_types.h>
#include <vector>

namespace course::client {

inline constexpr std::size_t kPage = 4096; // bytes

cudaError_t allocate_managed(const char* call, void** out, std::size_t size);

// In a function that is graded, managed memory is the host's until the device has work that may
// touch it (handed_over.cpp). False where the program has something at the address.
bool keep_on_host(std::uint64_t address, std::size_t size);
void hand_over(const char* call, const runtime::protocol::Request& work); // before that work
void forget_on_host(std::uint64_t address);

bool is_managed(const void* pointer);
bool any_managed();
bool any_registered();

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
void release_managed(const char* call); // the host has waited for all of them
void open_managed(const char* call);    // until guard_managed is called again

// Registers memory of the program's own, so that the device has it at the same address: its pages
// are replaced by those of files that the grader has, too. And lets go of it.
cudaError_t share_host(const char* call, void* memory, std::size_t size, bool read_only);
cudaError_t unshare_host(const char* call, void* memory);

// Whole pages, of which some may belong to what was registered only in part: the rest of these is
// nobody's but the program's, and is never taken out of its reach.
struct Pages {
  std::uint64_t begin = 0, end = 0;
};
std::vector<Pages> without_edges(Pages);

// Maps the memory that the grader shares at its address. False when that cannot be.
bool map_shared(const runtime::protocol::Shared&, std::size_t size);

} // namespace course::client

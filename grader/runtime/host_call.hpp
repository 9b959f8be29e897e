// A launcher called as what it looks like, a function of host code: a reference of the course,
// which computes on the arrays themselves. Its process is that of a recording, with its limits; the
// arrays lie there at the addresses that they have on a device.
#pragma once

#include "runtime/recording.hpp"

#include <filesystem>
#include <vector>

namespace course::runtime {

struct HostCall {
  Recording recording;               // how it ended, and what it asked of CUDA, which is not done
  std::vector<device::Bytes> memory; // the buffers after it returned, in order; else empty
};

// Buffers are in the order of their addresses. `limits.memory` is beside what they take. Throws
// std::filesystem::filesystem_error where there is no room for them.
HostCall call_on_host(const Host&, const std::filesystem::path& library, const Call&,
                      const std::vector<device::Buffer>& memory, sandbox::Limits limits);

} // namespace course::runtime

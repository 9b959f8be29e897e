// A request that was sampled, as the rules of shared memory see it.
#pragma once

#include "device/device.hpp"
#include "device/model/request.hpp"

#include <algorithm>

namespace course::report {

inline model::Request request_of(const model::RequestType& kind,
                                 const device::RequestSample& sample) {
  model::Request request{kind.access, static_cast<int>(sample.width), sample.active, {}};
  std::ranges::transform(sample.offset, request.offset.begin(),
                         [](auto offset) { return static_cast<std::uint32_t>(offset); });
  return request;
}

} // namespace course::report

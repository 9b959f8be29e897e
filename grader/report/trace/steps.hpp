// A watched request as the model's rules see it.
#pragma once

#include "device/device.hpp"
#include "device/model/request.hpp"

#include <optional>
#include <string>

namespace course::report {

// Nothing for requests to other memories than shared, or without a rule.
std::optional<model::Request> shared_request(const device::WatchedRequest&);

// "32 wavefronts where 1 would do: 32-way"
std::string cost_of(const device::WatchedRequest&);

// Lanes that take sectors: of global memory, or of another block's shared memory.
bool takes_sectors(const device::WatchedRequest&);

} // namespace course::report

// Bank conflicts on devices before compute capability 5.0, for comparison with today's. The rules
// are in words at BankRule (architecture.hpp).
#pragma once

#include "device/model/architecture.hpp"
#include "device/model/request.hpp"

namespace course::model {

// Whether passes can be told: on older devices only those of loads and stores, as the guides say
// nothing about the cost of atomics.
bool has_rule(const Architecture&, RequestKind, int width);

// Passes of a request on that device; all zero without a rule. `ideal` on the older ones is one
// pass for each group of lanes and each 4-byte request that the access is split into.
Passes shared_passes(const Architecture&, const Request&);

} // namespace course::model

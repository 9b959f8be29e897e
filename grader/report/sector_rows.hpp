// A picture of one request to global memory: which lane touches which sector of 32 bytes.
#pragma once

#include "device/device.hpp"
#include "report/text.hpp"

#include <string>

namespace course::report {

//   lane        0      1      2  ...     30     31
//   byte        0    384    768  ...  11520  11904
//   sector      0     12     24  ...    360    372
//
// Bytes are counted from the lowest sector that the request touches. Where not all lanes fit, at
// least the first and the last two are shown, whatever the terminal. Empty when no lane is active.
std::string sector_rows(const device::RequestSample&, const Terminal&, int indent);

} // namespace course::report

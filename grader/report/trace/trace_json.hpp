// A warp's requests for a page that goes through them: fields are in book/live/steps.js.
#pragma once

#include "device/emulator/count/warp_trace.hpp"

#include <nlohmann/json.hpp>

#include <string>

namespace course::report {

// Those of the file `path`, as the compiler named it.
nlohmann::ordered_json json(const emulator::WarpTrace&, const std::string& path);

} // namespace course::report

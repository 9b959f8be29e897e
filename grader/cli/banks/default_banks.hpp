// By whose rules shared memory is counted where no `--banks` says it.
#pragma once

#include "device/model/known_gpus.hpp"

#include <string>

namespace course::cli {

inline std::string default_banks() {
  return std::string(model::default_gpu().architecture.name);
}

} // namespace course::cli

// What would rid a request to shared memory of its bank conflicts: layouts that are tried, and
// claimed only where the model confirms them.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "device/model/known_gpus.hpp"
#include "device/model/older.hpp"
#include "device/model/tensor_map.hpp"

namespace course::cli {

// A request by its indices: lane l uses element index[l] of an array of `width`-byte elements.
struct IndexedRequest {
  const model::Architecture* architecture = &model::default_gpu().architecture;
  model::RequestKind access = model::RequestKind::shared_load; // load, store, or atomic
  int width = 4;                                               // bytes
  std::uint32_t active = model::kAllLanes;
  model::Swizzle swizzle = model::Swizzle::none;   // of the tensor map that brought the array
  std::array<std::int64_t, model::kLanes> index{}; // not negative, within the memory of the device
};

model::Request request_of(const IndexedRequest&);

struct Remedy {
  std::string text; // "a stride of 33 elements in place of 32: …"
  model::Passes after;
};

// Layouts under which no two lanes meet in a bank (in an atomic: none but those of the same word),
// and 32 lanes that take neighbouring elements do not either: a longer stride or else padding, and
// a swizzle. None for a request that has nothing to mend.
std::vector<Remedy> remedies(const IndexedRequest&);

// The most lanes that update one word: passes that no layout saves an atomic.
int most_lanes_of_a_word(const model::Request&);

} // namespace course::cli

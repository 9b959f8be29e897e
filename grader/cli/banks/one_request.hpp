// One request, given by an expression for each lane's index: the page that `course banks --index`
// prints.
#pragma once

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "cli/banks/remedy.hpp"
#include "device/model/known_gpus.hpp"
#include "device/model/older.hpp"
#include "device/model/tensor_map.hpp"

namespace course::cli {

struct Question {
  std::string index; // an expression in t, the lane (lane_expression.hpp)
  int width = 4;     // bytes of an element, and of the access: 1, 2, 4, 8, 16
  model::RequestKind access =
      model::RequestKind::shared_load; // shared_load, shared_store, or
                                       // shared_atomic: an add, of 4 or 8 bytes
  std::uint32_t active = model::kAllLanes;
  const model::Architecture* architecture = &model::default_gpu().architecture;
  // Of the tensor map that brought the tile: elements lie where its copy put them. The tile begins
  // at a multiple of 1,024 bytes.
  model::Swizzle swizzle = model::Swizzle::none;
  int columns = 80; // of the terminal
  bool colour = false;
  bool advice = true; // what would fix it is said, too
};

// The page, or why there is none: lines without a final newline.
struct Refusal {
  std::string message;
};
std::variant<std::string, Refusal> answer(const Question&);

// The same as facts: the request, what it costs, and what would fix it.
struct Served {
  model::Request request;
  model::Passes passes;
  std::vector<Remedy> remedies; // none without advice
};
std::variant<Served, Refusal> served(const Question&);

} // namespace course::cli

// Names of accesses, as in data/access_patterns.csv and in reports: "shared_load_4".
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "device/model/async_copy.hpp"
#include "device/model/request.hpp"

namespace course::model {

enum class Memory { shared, global, constant };
Memory memory_of(Access); // cp_async: shared

// An access and its width in bytes a lane.
struct Kind {
  Access access = Access::shared_load;
  int width = 4;

  bool operator==(const Kind&) const = default;
};

// Accepts all of:
//   shared_load_W, shared_store_W, global_load_W, global_store_W, constant_load_W   W: 1 2 4 8 16
//   shared_atomic_add_4
//   atom_shared_OP_TYPE, red_shared_OP_TYPE, such as atom_shared_min_u32;
//   red_shared_add_u32_constant_1 ldmatrix_x1, _x2, _x4; stmatrix_x1, _x2, _x4 cp_async_ca_4, _8,
//   _16; cp_async_cg_16
std::optional<Kind> kind_of(std::string_view name);

// One name of that kind, which kind_of takes back to it; "" for a width that it does not come in.
std::string name_of(Kind);

// The asynchronous copy that a measured pattern is, but for its lanes and addresses. Behind the
// name of the instruction stands how many bytes it reads: nothing where it is all, else _of_ and 0
// or half of the width as constants; k0 or kW, which ptxas does not know; oddW, in odd lanes W and
// in even ones 0; anyW, 0, half of W and W in turn. "cp_async_cg_16_of_odd16".
std::optional<AsyncCopy> copy_of(std::string_view name);

// Every name that kind_of accepts.
std::vector<std::string> access_names();

} // namespace course::model

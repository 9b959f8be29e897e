// A line of the student's source, quoted, with the access that a count is about underlined.
#pragma once

#include "device/model/request_type.hpp"
#include "report/text.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace course::report {

// Where in a line; columns from 0.
struct Underline {
  std::size_t start = 0, length = 0;
};

// The subscript expression that makes this access: `tile[threadIdx.x][threadIdx.y]`. Shared memory
// is known by its `__shared__` declaration in the file, and an assignment by its left side. `array`
// is the one that was touched, where that is known. Nothing when no expression, or more than one,
// can be meant.
std::optional<Underline> underline(std::string_view source, std::uint32_t line, model::Use,
                                   const std::string& array = "");

//    29 |   out[out_row * rows + out_col] = tile[threadIdx.x][threadIdx.y];
//       |                                   ~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
//
// A line that is too wide is cut, where the underlined part stays visible. Empty when the source
// has no such line.
std::string quote(std::string_view source, std::uint32_t line, std::optional<Underline>,
                  const Terminal&);

} // namespace course::report

// A shape that a launcher is called with, as its exercise calls it, and how its blocks came.
#pragma once

#include <cstdint>
#include <string>
#include <utility>

namespace course::judge {

struct Shape {
  std::string label;      // "64 x 96"; empty: it is about all of them
  bool is_matrix = false; // the label is rows x columns, and no more
  bool backwards = false; // executed with the last block first

  Shape() = default;
  Shape(std::string called) : label(std::move(called)) {}
  Shape(const char* called) : label(called) {}

  bool empty() const { return label.empty(); }
  bool operator==(const Shape& other) const {
    return label == other.label && backwards == other.backwards;
  }
};

inline Shape matrix(std::uint64_t rows, std::uint64_t cols) {
  Shape shape(std::to_string(rows) + " x " + std::to_string(cols));
  shape.is_matrix = true;
  return shape;
}

// As in the JSON: "64 x 96, the last block first".
inline std::string name(const Shape& shape) {
  return shape.backwards ? shape.label + ", the last block first" : shape.label;
}

} // namespace course::judge

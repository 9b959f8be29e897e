// A shape that a launcher is called with, as its exercise calls it, and in which order it was
// executed.
#pragma once

#include <cstdint>
#include <string>
#include <utility>

namespace course::judge {

struct Shape {
  std::string label;      // "64 x 96"; empty: it is about all of them
  bool is_matrix = false; // the label is rows x columns, and no more
  bool backwards = false; // executed with the last block first
  // Executed in an order that the standard leaves open (device::Order::Kind::at_liberty): the
  // which, from 1. 0: in the device's own.
  std::uint32_t drawn_order = 0;
  bool again = false; // in a process that has called before

  Shape() = default;
  Shape(std::string called) : label(std::move(called)) {}
  Shape(const char* called) : label(called) {}

  bool empty() const { return label.empty(); }
  bool operator==(const Shape& other) const {
    return label == other.label && backwards == other.backwards &&
           drawn_order == other.drawn_order && again == other.again;
  }
};

inline Shape matrix(std::uint64_t rows, std::uint64_t cols) {
  Shape shape(std::to_string(rows) + " x " + std::to_string(cols));
  shape.is_matrix = true;
  return shape;
}

// As in the JSON: "64 x 96, the last block first", "64 x 96, drawn order 2".
inline std::string name(const Shape& shape) {
  if (shape.again) return shape.label + ", after another call";
  if (shape.drawn_order) return shape.label + ", drawn order " + std::to_string(shape.drawn_order);
  return shape.backwards ? shape.label + ", the last block first" : shape.label;
}

} // namespace course::judge

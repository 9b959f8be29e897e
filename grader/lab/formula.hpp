// Formulas: what an exercise's data say of its shapes and limits, as "rows * cols / 32".
//
// The syntax is muParser's (https://beltoforion.de/en/muparser): + - * / ^, comparisons, && || and
// c ? a : b, min, max, abs. Numbers are doubles, whole ones exact to 2^53. Of our own there are
//
//   a % b, floor(x), ceil(x)
//   room(x)                              a tenth more, rounded up: with_room() of pieces.hpp
//   piece_requests(rows, cols, width)    in_pieces() of pieces.hpp: a matrix in pieces of its rows
//   piece_sectors(rows, cols, width)
//   any                                  no limit
//   between(a, b), prime(a, b), one_of(a, b, …)   drawn from the seed, in a drawn shape only
#pragma once

#include "lab/drawn.hpp"

#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string>

namespace course::lab {

// What is wrong with a formula, in words.
struct FormulaError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// Variables, and the formulas that speak of them. Not to be used by two threads at a time.
class Scope {
public:
  explicit Scope(Draw* = nullptr); // none: nothing can be drawn
  ~Scope();
  Scope(const Scope&) = delete;
  Scope& operator=(const Scope&) = delete;

  void set(const std::string& name, double value); // anew, or another value of the same name
  bool has(const std::string& name) const;
  void assign(const std::string& definition); // "units = rows * cols / 32"

  // These throw FormulaError, as assign() does.
  double number(const std::string& formula);
  std::uint64_t
  whole(const std::string& formula); // rounded down; UINT64_MAX for `any`; never less than 0
  bool holds(const std::string& formula) { return number(formula) != 0; }

private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

} // namespace course::lab

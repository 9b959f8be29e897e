// What a kernel wrote against what it should have written, element by element.
//
// Every element is compared, none is sampled. NaN never passes by accident: an element is right
// only where a comparison says so. Outputs are filled with `kPoison` before a run, so an element
// that was never written is told from one that is wrong.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>

namespace course::judge {

// A quiet NaN that no arithmetic produces: the GPU's own NaN is 0x7fffffff.
inline constexpr std::uint32_t kPoison = 0x7fc0dead;

// An element is right where |got - expected| <= absolute + relative * |expected|. With both 0 it
// has to be equal: the same number or the same bits.
struct Tolerance {
  double absolute = 0;
  double relative = 0;
};

// How an index of the output is shown: row-major; a vector has one row.
struct Extent {
  std::uint64_t rows = 1;
  std::uint64_t cols = 0;
};

// What the wrong elements have in common, where that is easy to see.
enum class Pattern {
  none,
  all_unwritten, // nothing was written at all
  equals_input,  // the output is the input, in the input's order
  last_row,      // wrong elements in the last row only
  last_column,
  past_tiles, // wrong elements only beyond the last whole 32 x 32 tile
  all_wrong,
};

struct Element {
  std::uint64_t index = 0, row = 0, col = 0;
  float expected = 0, got = 0;
  bool unwritten = false;
};

struct Comparison {
  Extent extent;
  std::uint64_t elements = 0;
  std::uint64_t wrong = 0;     // never written ones included
  std::uint64_t unwritten = 0; // still poisoned
  std::uint64_t zeros = 0;     // wrong ones that are 0
  std::optional<Element> first;
  std::optional<Element>
      belongs; // the one other element where the first wrong value would be right
  Pattern pattern = Pattern::none;

  bool passed() const { return wrong == 0; }
};

// `expected` has extent.rows * extent.cols elements. Elements that `got` lacks are wrong. `input`
// may be empty: then the output is not compared with it.
Comparison compare(std::span<const float> got, std::span<const float> expected, Extent extent,
                   Tolerance tolerance, std::span<const float> input = {});

// The first byte in which two images of a buffer differ; a missing byte differs.
std::optional<std::uint64_t> first_change(std::span<const std::byte> before,
                                          std::span<const std::byte> after);

// "out[3][5]", or "out[5]" where the output is one row.
std::string subscript(const std::string& buffer, const Element&, Extent);

// A float in as many digits as tell it from its neighbours: "0.1", "-3.5e+20", "nan".
std::string text(float);
// The same where another one stands beside it: of two NaNs with their bits, "nan (0x7fa00001)".
std::string text(float, float beside);

} // namespace course::judge

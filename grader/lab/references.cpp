// Over 400 lines, as it is one short function for each reference, and the table of them.
#include "lab/references.hpp"

#include "lab/predict.hpp"
#include "system/cores.hpp"
#include "system/in_parallel.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <span>

namespace course::lab {
namespace {

std::uint64_t whole(const Variable& variable, const std::string& name) {
  return static_cast<std::uint64_t>(variable(name));
}

Floats turned(const Floats& in, std::uint64_t rows, std::uint64_t cols) {
  Floats out(in.size());
  for (std::uint64_t r = 0; r < rows; ++r)
    for (std::uint64_t c = 0; c < cols; ++c) out[c * rows + r] = in[r * cols + c];
  return out;
}

Floats transpose(const Inputs& inputs, const Variable& variable) {
  return turned(inputs[1], whole(variable, "rows"), whole(variable, "cols"));
}

Floats transposed_tiles(const Inputs& inputs, const Variable& variable) {
  const auto rows = whole(variable, "rows"), cols = whole(variable, "cols");
  const auto& in = inputs[1];
  Floats out(in.size());
  for (std::uint64_t i = 0; i < in.size(); ++i) {
    const auto first = i / (rows * cols) * (rows * cols);
    const auto row = (i - first) / cols, col = (i - first) % cols;
    out[first + col * rows + row] = in[i];
  }
  return out;
}

Floats tiles_both_ways(const Inputs& inputs, const Variable& variable) {
  Floats out = inputs[1];
  const auto columns = transposed_tiles(inputs, variable);
  out.insert(out.end(), columns.begin(), columns.end());
  return out;
}

// A quarter of the left neighbour's red, half of the green, a quarter of the right neighbour's
// blue, times alpha; a row's ends are neighbours.
Floats grey_picture(const Inputs& inputs, const Variable& variable) {
  const auto& in = inputs[1];
  const auto width = whole(variable, "width");
  Floats out(in.size() / 4);
  for (std::uint64_t i = 0; i < out.size(); ++i) {
    const auto first = i / width * width, x = i % width;
    const auto left = first + (x + width - 1) % width, right = first + (x + 1) % width;
    const double sum = 0.25 * in[4 * left] + 0.5 * in[4 * i + 1] + 0.25 * in[4 * right + 2];
    out[i] = static_cast<float>(sum * in[4 * i + 3]);
  }
  return out;
}

Floats reversed_arrays(const Inputs& inputs, const Variable&) {
  Floats out;
  for (std::size_t i = 1; i < inputs.size(); ++i)
    out.insert(out.end(), inputs[i].rbegin(), inputs[i].rend());
  return out;
}

Floats differences(const Inputs& inputs, const Variable& variable) {
  const auto& in = inputs[1];
  const auto apart = whole(variable, "apart");
  Floats out(in.size() - apart);
  for (std::size_t i = 0; i < out.size(); ++i) out[i] = in[i + apart] - in[i];
  return out;
}

Floats sums(const Inputs& inputs, const Variable& variable) {
  const auto& in = inputs[1];
  const auto each = whole(variable, "each");
  Floats out(whole(variable, "sums"));
  for (std::size_t b = 0; b < out.size(); ++b) {
    const auto end = std::min<std::size_t>(in.size(), (b + 1) * each);
    double sum = 0;
    for (std::size_t i = b * each; i < end; ++i) sum += in[i];
    out[b] = static_cast<float>(sum);
  }
  return out;
}

// Of each piece of so many its largest element, and the first place in the piece that has it.
Floats largest_and_place(const Inputs& inputs, const Variable& variable) {
  const auto& in = inputs[1];
  const auto each = static_cast<std::ptrdiff_t>(whole(variable, "each"));
  Floats out;
  for (auto piece = in.begin(); piece != in.end();) {
    const auto end = piece + std::min(each, in.end() - piece);
    const auto found = std::max_element(piece, end); // the first of equal ones
    out.insert(out.end(), {*found, static_cast<float>(found - piece)});
    piece = end;
  }
  return out;
}

Floats running_sums(const Inputs& inputs, const Variable&) {
  Floats out;
  double sum = 0;
  for (const float x : inputs[1]) out.push_back(static_cast<float>(sum += x));
  return out;
}

// Each group of so many by itself.
Floats running_sums_in_groups(const Inputs& inputs, const Variable& variable) {
  Floats out;
  double sum = 0;
  for (const float x : inputs[1]) {
    if (out.size() % whole(variable, "each") == 0) sum = 0;
    out.push_back(static_cast<float>(sum += x));
  }
  return out;
}

// Of each array of n elements, its sum from the beginning to the end of each piece of so many.
Floats ends(const Inputs& inputs, const Variable& variable) {
  const auto& in = inputs[1];
  const auto n = whole(variable, "n"), each = whole(variable, "each");
  Floats out;
  double sum = 0;
  for (std::size_t i = 0; i < in.size(); ++i) {
    const auto place = i % n;
    sum = place == 0 ? in[i] : sum + in[i];
    if (place + 1 == n || (place + 1) % each == 0) out.push_back(static_cast<float>(sum));
  }
  return out;
}

// The middle times c0, and the difference of the neighbours k away times ck; outside it is 0.
Floats nine_points(const Inputs& inputs, const Variable& variable) {
  constexpr std::int64_t kRadius = 4;
  constexpr std::array kNames{"c0", "c1", "c2", "c3", "c4"};
  const auto& in = inputs[1];
  std::array<float, kRadius + 1> coefficients;
  for (std::size_t k = 0; k < coefficients.size(); ++k)
    coefficients[k] = static_cast<float>(variable(kNames[k]));
  const auto n = static_cast<std::int64_t>(in.size());
  const auto at = [&](std::int64_t i) { return i >= 0 && i < n ? double{in[i]} : 0.0; };
  Floats out(in.size());
  for (std::int64_t i = 0; i < n; ++i) {
    double sum = coefficients[0] * at(i);
    for (std::int64_t k = 1; k <= kRadius; ++k) sum += coefficients[k] * (at(i + k) - at(i - k));
    out[i] = static_cast<float>(sum);
  }
  return out;
}

constexpr std::uint64_t kPoints = 8;

double cosine(std::uint64_t u, std::uint64_t x) {
  constexpr double kPi = 3.14159265358979323846;
  return std::cos(static_cast<double>((2 * x + 1) * u) * kPi / 16);
}

// Number x of group g is element x * n + g.
Floats cosine_transform(const Inputs& inputs, const Variable& variable) {
  const auto& in = inputs[1];
  const auto groups = whole(variable, "n");
  double table[kPoints][kPoints];
  for (std::uint64_t u = 0; u < kPoints; ++u)
    for (std::uint64_t x = 0; x < kPoints; ++x) table[u][x] = cosine(u, x);
  Floats out(in.size());
  for (std::uint64_t g = 0; g < groups; ++g) {
    for (std::uint64_t u = 0; u < kPoints; ++u) {
      double sum = 0;
      for (std::uint64_t x = 0; x < kPoints; ++x) sum += table[u][x] * in[x * groups + g];
      out[u * groups + g] = static_cast<float>(sum);
    }
  }
  return out;
}

Floats cosines(const Inputs& inputs, const Variable&) {
  Floats out;
  for (const float code : inputs[1]) {
    const auto entry = static_cast<std::uint64_t>(code);
    out.push_back(static_cast<float>(cosine(entry / kPoints, entry % kPoints)));
  }
  return out;
}

Floats moves(const Inputs& inputs, const Variable& variable) {
  constexpr std::uint64_t kApart = 2;
  const auto& in = inputs[1];
  const auto n = in.size();
  const auto width = whole(variable, "width");
  Floats out(4 * n);
  for (std::uint64_t i = 0; i < n; ++i) {
    const auto place = i % width, group = i - place;
    const auto from = [&](bool exists, std::uint64_t source) {
      return exists && source < n ? in[source] : in[i];
    };
    out[i] = in[group];
    out[n + i] = from(place >= kApart, i - kApart);
    out[2 * n + i] = from(place + kApart < width, i + kApart);
    out[3 * n + i] = from(true, group + (place + kApart) % width);
  }
  return out;
}

// Body i has the one whose number differs in the mask's bits; where there is none, its own.
Floats exchange(const Inputs& inputs, const Variable& variable) {
  constexpr std::uint64_t kFloats = 8; // of a body
  const auto& in = inputs[1];
  const auto n = in.size() / kFloats, mask = whole(variable, "mask");
  Floats out(in.size());
  for (std::uint64_t i = 0; i < n; ++i) {
    const auto partner = (i ^ mask) < n ? i ^ mask : i;
    std::copy_n(in.begin() + static_cast<std::ptrdiff_t>(partner * kFloats), kFloats,
                out.begin() + static_cast<std::ptrdiff_t>(i * kFloats));
  }
  return out;
}

// Calls `to_floats` with each row of A B, and with the row of the result that it is for; for a few
// rows at a time, from several threads where there are many: a timed product has 10^10 terms.
template <class ToFloats>
Floats rows_of_product(const Floats& a, const Floats& b, const Variable& variable,
                       ToFloats to_floats) {
  constexpr std::uint64_t kBand = 8; // rows for which a row of B is loaded once
  constexpr double kManyTerms = 1e8;
  const auto m = whole(variable, "m"), n = whole(variable, "n"), k = whole(variable, "k");
  Floats result(m * n);
  const auto band = [&](std::size_t number) {
    const auto first = number * kBand, rows = std::min(kBand, m - first);
    std::vector<double> sums(rows * n);
    for (std::uint64_t i = 0; i < k; ++i)
      for (std::uint64_t row = 0; row < rows; ++row) {
        const double factor = a[(first + row) * k + i];
        for (std::uint64_t col = 0; col < n; ++col) sums[row * n + col] += factor * b[i * n + col];
      }
    for (std::uint64_t row = 0; row < rows; ++row)
      to_floats(std::span(sums).subspan(row * n, n), result.data() + (first + row) * n);
  };
  const auto bands = (m + kBand - 1) / kBand;
  if (static_cast<double>(m) * static_cast<double>(n * k) >= kManyTerms)
    system::in_parallel(bands, system::cores(), band);
  else
    for (std::uint64_t number = 0; number < bands; ++number) band(number);
  return result;
}

Floats product(const Inputs& inputs, const Variable& variable) {
  return rows_of_product(
      inputs[1], inputs[2], variable, [](std::span<const double> sums, float* to) {
        std::ranges::transform(sums, to, [](double sum) { return static_cast<float>(sum); });
      });
}

// Each pair of numbers whose indices differ in one bit becomes its sum and its difference, bit
// after bit. Whole numbers stay exact.
Floats walsh_hadamard(const Inputs& inputs, const Variable& variable) {
  const auto cols = whole(variable, "cols");
  Floats out = inputs[1];
  for (std::uint64_t bit = 1; bit < cols; bit *= 2)
    for (std::uint64_t i = 0; i < out.size(); ++i)
      if ((i & bit) == 0) {
        const float sum = out[i] + out[i | bit];
        out[i | bit] = out[i] - out[i | bit];
        out[i] = sum;
      }
  return out;
}

Floats product_of_rows(const Inputs& inputs, const Variable& variable) {
  const auto n = whole(variable, "n"), k = whole(variable, "k");
  return product({{}, inputs[1], turned(inputs[2], n, k)}, variable);
}

// The largest of a row is taken from all of them first, so that no power is too large.
template <class Numbers>
void to_shares(Numbers row, double scale, float* to) {
  if (row.empty()) return;
  const double most = *std::ranges::max_element(row);
  double sum = 0;
  for (const double one : row) sum += std::exp(scale * (one - most));
  for (const double one : row) *to++ = static_cast<float>(std::exp(scale * (one - most)) / sum);
}

// How much of each key a query takes.
Floats attention(const Inputs& inputs, const Variable& variable) {
  const auto keys = turned(inputs[2], whole(variable, "n"), whole(variable, "k"));
  return rows_of_product(inputs[1], keys, variable, [](std::span<const double> scores, float* to) {
    to_shares(scores, 1.0 / 8, to);
  });
}

Floats shares_of_rows(const Inputs& inputs, const Variable& variable) {
  const auto rows = whole(variable, "rows"), cols = whole(variable, "cols");
  Floats out(inputs[1].size());
  for (std::uint64_t row = 0; row < rows; ++row)
    to_shares(std::span(inputs[1]).subspan(row * cols, cols), 1, out.data() + row * cols);
  return out;
}

// How many elements each bin has.
Floats histogram(const Inputs& inputs, const Variable& variable) {
  std::vector<std::uint64_t> counts(whole(variable, "bins")); // beyond 2^24 a float stays as it is
  for (const float bin : inputs[1]) ++counts.at(static_cast<std::size_t>(bin));
  return {counts.begin(), counts.end()};
}

// The sum of the weights, which are the second input, of each bin's elements.
Floats sums_by_bin(const Inputs& inputs, const Variable& variable) {
  Floats sums(whole(variable, "bins"));
  for (std::size_t i = 0; i < inputs[1].size(); ++i)
    sums.at(static_cast<std::size_t>(inputs[1][i])) += inputs.at(2)[i];
  return sums;
}

// How many elements before it, of its group of so many, are in the same bin.
Floats places(const Inputs& inputs, const Variable& variable) {
  const auto& in = inputs[1];
  const auto each = whole(variable, "each");
  Floats next(whole(variable, "bins")), out;
  for (std::size_t i = 0; i < in.size(); ++i) {
    if (i % each == 0) std::fill(next.begin(), next.end(), 0.0f);
    out.push_back(next.at(static_cast<std::size_t>(in[i]))++);
  }
  return out;
}

// Each group of so many by itself, the smallest first.
Floats sorted_in_groups(const Inputs& inputs, const Variable& variable) {
  Floats out = inputs[1];
  const auto each = whole(variable, "each");
  for (std::size_t i = 0; i < out.size(); i += each)
    std::sort(out.data() + i, out.data() + std::min(i + each, out.size()));
  return out;
}

// A Gaussian of 11 x 11 weights along a slanted line; outside the matrix it is 0.
Floats slanted_blur(const Inputs& inputs, const Variable& variable) {
  constexpr int kRadius = 5, kSide = 2 * kRadius + 1;
  constexpr std::size_t kMany = 100'000; // elements: worth several threads
  const auto rows = static_cast<std::int64_t>(variable("rows"));
  const auto cols = static_cast<std::int64_t>(variable("cols"));
  const auto a = variable("a"), b = variable("b"), c = variable("c");
  double weight[kSide][kSide];
  for (int y = -kRadius; y <= kRadius; ++y)
    for (int x = -kRadius; x <= kRadius; ++x)
      weight[y + kRadius][x + kRadius] = std::exp(-(a * y * y + b * y * x + c * x * x));
  const auto& in = inputs[1];
  Floats out(in.size());
  const std::size_t threads = in.size() < kMany ? 1 : system::cores();
  system::in_parallel(static_cast<std::size_t>(rows), threads, [&](std::size_t number) {
    const auto row = static_cast<std::int64_t>(number);
    for (std::int64_t col = 0; col < cols; ++col) {
      const auto left = std::max<std::int64_t>(-kRadius, -col);
      const auto right = std::min<std::int64_t>(kRadius, cols - 1 - col);
      double sum = 0;
      for (std::int64_t y = -kRadius; y <= kRadius; ++y) {
        if (row + y < 0 || row + y >= rows) continue;
        for (auto x = left; x <= right; ++x)
          sum += weight[y + kRadius][x + kRadius] * in[(row + y) * cols + col + x];
      }
      out[row * cols + col] = static_cast<float>(sum);
    }
  });
  return out;
}

Floats predictions(const Inputs&, const Variable&) {
  Floats answers;
  for (const auto& row : questions()) answers.push_back(static_cast<float>(conflicts(row)));
  return answers;
}

} // namespace

const std::map<std::string, KindOfReference>& kinds_of_references() {
  static const std::map<std::string, KindOfReference> kinds = {
      {"transpose", {transpose, {"rows", "cols"}}},
      {"transposed_tiles", {transposed_tiles, {"rows", "cols"}}},
      {"tiles_both_ways", {tiles_both_ways, {"rows", "cols"}}},
      {"grey_picture", {grey_picture, {"width"}}},
      {"reversed_arrays", {reversed_arrays, {}}},
      {"differences", {differences, {"apart"}}},
      {"sums", {sums, {"each", "sums"}}},
      {"largest_and_place", {largest_and_place, {"each"}}},
      {"running_sums", {running_sums, {}}},
      {"running_sums_in_groups", {running_sums_in_groups, {"each"}}},
      {"ends", {ends, {"n", "each"}}},
      {"nine_points", {nine_points, {"c0", "c1", "c2", "c3", "c4"}}},
      {"cosine_transform", {cosine_transform, {"n"}}},
      {"cosines", {cosines, {}}},
      {"moves", {moves, {"width"}}},
      {"exchange", {exchange, {"mask"}}},
      {"product", {product, {"m", "n", "k"}}},
      {"walsh_hadamard", {walsh_hadamard, {"cols"}}},
      {"product_of_rows", {product_of_rows, {"m", "n", "k"}}},
      {"attention", {attention, {"m", "n", "k"}}},
      {"histogram", {histogram, {"bins"}}},
      {"sums_by_bin", {sums_by_bin, {"bins"}}},
      {"places", {places, {"bins", "each"}}},
      {"sorted_in_groups", {sorted_in_groups, {"each"}}},
      {"slanted_blur", {slanted_blur, {"rows", "cols", "a", "b", "c"}}},
      {"shares_of_rows", {shares_of_rows, {"rows", "cols"}}},
      {"predictions", {predictions, {}}},
  };
  return kinds;
}

} // namespace course::lab

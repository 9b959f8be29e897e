#include "lab/references.hpp"

#include "lab/labs.hpp"
#include "lab/named.hpp"
#include "lab/values.hpp"

#include <doctest/doctest.h>

#include <cmath>

#include <algorithm>
#include <limits>
#include <numeric>

namespace course::lab {
namespace {

Floats computed(const std::string& kind, const Inputs& inputs,
                const std::map<std::string, double>& variables) {
  return kinds_of_references().at(kind).compute(
      inputs, [&](const std::string& name) { return variables.at(name); });
}

} // namespace

TEST_CASE("each tile is turned in its own place") {
  const Floats in{1, 2, 3, 4, 5, 6, 10, 20, 30, 40, 50, 60};
  const auto turned = [](const Floats& tiles, double rows, double cols) {
    return computed("transposed_tiles", {{}, tiles}, {{"rows", rows}, {"cols", cols}});
  };
  CHECK(turned(in, 2, 3) == Floats{1, 4, 2, 5, 3, 6, 10, 40, 20, 50, 30, 60});
  CHECK(turned(turned(in, 2, 3), 3, 2) == in);
  CHECK(turned({}, 32, 32).empty());
}

TEST_CASE("sums of none are as many as there are to be") {
  CHECK(computed("sums", {{}, {}}, {{"each", 256}, {"sums", 0}}).empty());
  CHECK(computed("sums", {{}, {}}, {{"each", 1}, {"sums", 1}}) == Floats{0});
  CHECK(computed("sums", {{}, {1, 2, 3}}, {{"each", 2}, {"sums", 2}}) == Floats{3, 3});
}

TEST_CASE("a product that is computed by several threads is the same to the bit") {
  constexpr std::uint64_t kRows = 203, kSide = 720; // more than 10^8 terms; the last band is short
  Floats a(kRows * kSide), b(kSide * kSide);
  for (std::size_t i = 0; i < a.size(); ++i) a[i] = 0.37f * static_cast<float>(i % 1009) - 100;
  for (std::size_t i = 0; i < b.size(); ++i) b[i] = 0.11f * static_cast<float>(i % 997) - 50;
  const auto of_rows = [&](const Floats& rows) {
    return computed("product", {{}, rows, b},
                    {{"m", static_cast<double>(rows.size() / kSide)}, {"n", kSide}, {"k", kSide}});
  };
  const auto all = of_rows(a);
  REQUIRE(all.size() == kRows * kSide);
  bool same = true;
  for (std::uint64_t row = 0; row < kRows; row += 29) { // each by itself, by one thread
    const auto at = a.begin() + static_cast<std::ptrdiff_t>(row * kSide);
    const auto alone = of_rows(Floats(at, at + kSide));
    same = same && std::equal(alone.begin(), alone.end(),
                              all.begin() + static_cast<std::ptrdiff_t>(row * kSide));
  }
  CHECK(same);
  CHECK(of_rows({}).empty());
}

TEST_CASE("the largest of a piece stands before its place, the first one of equal ones") {
  const Floats in{-3, -1, -1, 7, 2, 7, 0};
  CHECK(computed("largest_and_place", {{}, in}, {{"each", 3}}) == Floats{-1, 1, 7, 0, 0, 0});
  CHECK(computed("largest_and_place", {{}, {}}, {{"each", 3}}).empty());
}

TEST_CASE("sums at the ends of pieces begin anew with each array, whose last piece may be short") {
  const Inputs inputs{{}, {1, 2, 3, 4, 5, 10, 20, 30, 40, 50}};
  CHECK(computed("ends", inputs, {{"n", 5}, {"each", 2}}) == Floats{3, 10, 15, 30, 100, 150});
  CHECK(computed("ends", inputs, {{"n", 10}, {"each", 5}}) == Floats{15, 165});
  CHECK(computed("ends", {{}, {}}, {{"n", 0}, {"each", 5}}).empty());
}

TEST_CASE("a histogram counts every element once, and bins without any are 0") {
  CHECK(computed("histogram", {{}, {3, 0, 3, 3}}, {{"bins", 5}}) == Floats{1, 0, 0, 3, 0});
  CHECK(computed("histogram", {{}, {}}, {{"bins", 2}}) == Floats{0, 0});
  const Floats many((1 << 24) + 2, 1);
  CHECK(computed("histogram", {{}, many}, {{"bins", 2}}) == Floats{0, (1 << 24) + 2});
}

TEST_CASE("weights are added up by the bins of their elements") {
  const Inputs inputs{{}, {2, 0, 2}, {5, 7, -1}};
  CHECK(computed("sums_by_bin", inputs, {{"bins", 3}}) == Floats{7, 0, 4});
}

TEST_CASE("a place is the number of equal elements before it in its group") {
  const Inputs inputs{{}, {1, 1, 0, 1, 1, 0, 1}};
  CHECK(computed("places", inputs, {{"bins", 2}, {"each", 4}}) == Floats{0, 1, 0, 2, 0, 0, 1});
}

TEST_CASE("bins are drawn with the share of one of them that is asked for") {
  const auto made = [](Flavour flavour, double same) {
    return kinds_of_values().at("bins").make(10'000, flavour, 7, {{"below", 50}, {"same", same}});
  };
  for (const auto flavour : kFlavours) {
    const auto most = [&](double same) {
      const auto counts = computed("histogram", {{}, made(flavour, same)}, {{"bins", 50}});
      return *std::max_element(counts.begin(), counts.end());
    };
    CHECK(most(0) < 300);
    CHECK(most(0.5) == doctest::Approx(5'100).epsilon(0.05));
    CHECK(most(1) == 10'000);
  }
  const auto sorted = made(Flavour::spikes, 0.5);
  CHECK(std::is_sorted(sorted.begin(), sorted.end()));
}

TEST_CASE("keys to sort are ints of both signs, small, or large, or in order downwards") {
  const auto made = [](Flavour flavour, double same, std::uint64_t count) {
    const Settings settings{{"below", 4294967296.0}, {"same", same}};
    return kinds_of_values().at("keys").make(count, flavour, 7, settings);
  };
  for (const auto flavour : kFlavours) {
    for (const double same : {0.0, 0.5, 1.0})
      for (const float key : made(flavour, same, 1'000)) CHECK((key >= -0x1p31F && key < 0x1p31F));
    const auto keys = made(flavour, 0, 1'000);
    CHECK(*std::min_element(keys.begin(), keys.end()) < 0);
    CHECK(*std::max_element(keys.begin(), keys.end()) > 0);
    CHECK(made(flavour, 1, 1'000) == Floats(1'000, made(flavour, 1, 1'000).front()));
    CHECK(made(flavour, 0, 0).empty());
  }
  const auto large = made(Flavour::random, 0, 1'000);
  CHECK(*std::min_element(large.begin(), large.end()) == -0x1p31F);
  CHECK(*std::max_element(large.begin(), large.end()) == std::nextafter(0x1p31F, 0.0F));
  const auto downwards = made(Flavour::spikes, 0, 1'000);
  CHECK(std::is_sorted(downwards.rbegin(), downwards.rend()));
}

TEST_CASE("numbers to compare are equal to one another, and not all whole, and not all near zero") {
  const auto made = [](Flavour flavour) {
    return kinds_of_values().at("numbers_to_compare").make(1'000, flavour, 7, {{"up_to", 60}});
  };
  for (const auto flavour : kFlavours) {
    auto values = made(flavour);
    std::sort(values.begin(), values.end());
    CHECK(std::unique(values.begin(), values.end()) - values.begin() < 125);
  }
  const auto whole = [](float value) { return value == std::floor(value); };
  const auto halves = made(Flavour::exact), large = made(Flavour::spikes);
  CHECK_FALSE(std::all_of(halves.begin(), halves.end(), whole));
  CHECK(*std::max_element(large.begin(), large.end()) < -1e38f);
  CHECK(*std::min_element(large.begin(), large.end()) > std::numeric_limits<float>::lowest());
}

TEST_CASE("of exponents, a power is infinite or 0, and every one counts beside the others") {
  const auto made = [](Flavour flavour) {
    auto values = kinds_of_values().at("exponents").make(1'000, flavour, 7, {});
    std::sort(values.begin(), values.end());
    return values;
  };
  for (const auto flavour : {Flavour::random, Flavour::exact})
    CHECK(made(flavour).back() - made(flavour).front() <= 16);
  CHECK(std::isinf(std::exp(made(Flavour::random).front())));
  const auto spikes = made(Flavour::spikes);
  CHECK(std::exp(spikes.back()) == 0);
  CHECK(spikes.back() < -1e38f);
  CHECK(std::count(spikes.begin(), spikes.end(), spikes.back()) > 700);
  CHECK(std::exp(spikes.front() - spikes.back()) == 0);
}

TEST_CASE(
    "of led factors, whole rows begin with a number, which makes every score far below zero") {
  const auto made = [](Flavour flavour, double first) {
    return kinds_of_values()
        .at("led_factors")
        .make(10 * 64, flavour, 7, {{"spike", 16}, {"columns", 64}, {"first", first}});
  };
  const auto queries = made(Flavour::exact, -1024), keys = made(Flavour::exact, 1024);
  for (std::size_t q = 0; q < 10; ++q)
    for (std::size_t k = 0; k < 10; ++k) {
      const double score =
          std::inner_product(&queries[64 * q], &queries[64 * q] + 64, &keys[64 * k], 0.0) / 8;
      CHECK(score < -100'000);
      CHECK(score > -1e6);
    }
  CHECK(made(Flavour::random, 1024) == made(Flavour::random, -1024));
}

TEST_CASE("groups are sorted by themselves, and the last may be short") {
  CHECK(computed("sorted_in_groups", {{}, {3, -1, 2, 9, 8, 7, 1, 0}}, {{"each", 3}}) ==
        Floats{-1, 2, 3, 7, 8, 9, 0, 1});
  CHECK(computed("sorted_in_groups", {{}, {}}, {{"each", 3}}).empty());
}

TEST_CASE("a slanted blur weighs five neighbours in each direction, and none outside the matrix") {
  const auto blurred = [](Floats in, double rows, double cols, double a, double b, double c) {
    return computed("slanted_blur", {{}, std::move(in)},
                    {{"rows", rows}, {"cols", cols}, {"a", a}, {"b", b}, {"c", c}});
  };
  const auto ones = blurred(Floats(20 * 13, 1), 20, 13, 0, 0, 0);
  CHECK(ones[0] == 36);
  CHECK(ones[5 * 13 + 5] == 121);
  CHECK(ones[19 * 13 + 6] == 66);
  const double ln2 = std::log(2.0);
  const auto pair = blurred({1, 0, 0, 1}, 2, 2, 2 * ln2, -ln2, ln2); // 1, and 2^-(2 - 1 + 1)
  CHECK(pair[0] == doctest::Approx(1.25));
  CHECK(pair[1] == doctest::Approx(0.5 + 0.25)); // beside it, and above it
  CHECK(blurred({}, 0, 3, 1, 1, 1).empty());
}

TEST_CASE("shares of a row add up to one, however large its numbers are") {
  const auto shares =
      computed("shares_of_rows", {{}, {1000, 1000, -1e9f, -1e9f}}, {{"rows", 2}, {"cols", 2}});
  CHECK(shares == Floats{0.5f, 0.5f, 0.5f, 0.5f});
  const auto thirds =
      computed("shares_of_rows", {{}, {std::log(2.0f), 0}}, {{"rows", 1}, {"cols", 2}});
  CHECK(thirds[0] == doctest::Approx(2.0 / 3));
  CHECK(thirds[1] == doctest::Approx(1.0 / 3));
  CHECK(computed("shares_of_rows", {{}, {}}, {{"rows", 3}, {"cols", 0}}).empty());
}

TEST_CASE("a Walsh-Hadamard transform adds and subtracts by each bit, and twice gives the count") {
  const Floats once = computed("walsh_hadamard", {{}, {1, 2, 3, 5}}, {{"cols", 4}});
  CHECK(once == Floats{11, -3, -5, 1});
  CHECK(computed("walsh_hadamard", {{}, once}, {{"cols", 4}}) == Floats{4, 8, 12, 20});
  CHECK(computed("walsh_hadamard", {{}, {1, 2, 5, 7}}, {{"cols", 2}}) == Floats{3, -1, 12, -2});
}

TEST_CASE("a reference asks for no variable that it does not name") {
  for (const auto& exercise : exercises(COURSE_SOURCE_DIR))
    for (const auto& one : exercise.cases)
      CHECK(one.reference(one.inputs(Flavour::exact, 1)).size() == one.operands[0].elements);
}

TEST_CASE("row_column asks for 992 conflicts a tile, and for twice the traffic") {
  const auto exercise = named(exercises(COURSE_SOURCE_DIR), "2_row_column");
  const auto& two = exercise.cases[1];
  CHECK(two.bounds.conflicts == 2 * 992);
  CHECK(two.bounds.others.at("load_conflicts").low == 2 * 992);
  CHECK(two.bounds.others.at("load_conflicts").high == 2 * 992);
  CHECK(two.bounds.shared_stores.low == 2 * 2 * 32);
  CHECK(two.operands[0].elements == 2 * two.operands[1].elements);
  const auto inputs = two.inputs(Flavour::exact, 5);
  const auto out = two.reference(inputs);
  CHECK(std::equal(inputs[1].begin(), inputs[1].end(), out.begin()));
  CHECK(out[2 * 1024 + 1] == inputs[1][32]);
}

TEST_CASE(
    "a tile too large for a block is asked to use no shared memory, but where it fits unpadded") {
  for (const auto& one : named(exercises(COURSE_SOURCE_DIR), "3_opt_in").cases) {
    const bool too_large = one.shape.label.find("too large") != std::string::npos;
    // Of 241 x 241 floats an H200's block has room for the tile, which needs no padding.
    const std::uint64_t most = one.shared_kib * 1024 - 1024, side = one.extent.cols;
    CHECK((one.bounds.shared_loads.high == 0) == (4 * side * side > most));
    CHECK((one.bounds.shared_loads.low == 0) == too_large);
    CHECK((4 * side * (side + 1) > most) == too_large);
    CHECK(one.bounds.way.has_value() != too_large);
    CHECK(one.bounds.others.contains("shared_bytes") != too_large);
  }
}

} // namespace course::lab

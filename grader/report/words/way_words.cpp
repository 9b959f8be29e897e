#include "report/words/way_words.hpp"

#include "report/words/numbers.hpp"

#include <fmt/format.h>

#include <array>

namespace course::report {

namespace facts = judge::facts;

namespace {

namespace way = device::way;
using device::Way;

const char* through(Way came) {
  static constexpr std::array<std::pair<Way, const char*>, 8> kWays{{
      {way::voted, "by votes, matches or reductions of lanes"},
      {way::multiplied, "by matrix instructions"},
      {way::shuffled, "by shuffles"},
      {way::global, "through global memory"},
      {way::stored | way::copied, "through shared memory"},
      {way::copied, "through shared memory by asynchronous copies"},
      {way::stored, "through shared memory by stores of threads"},
      {way::direct, "straight from the thread that loaded it"},
  }};
  for (const auto& [bits, text] : kWays)
    if (came & bits && (came & bits) == bits) return text;
  return "by no way";
}

std::string how(const facts::Astray& found) {
  switch (found.how) {
  case facts::Astray::How::forbidden:
    return fmt::format("came {}", through(found.part));
  case facts::Astray::How::not_through:
    return fmt::format("did not come {}", through(found.part));
  case facts::Astray::How::from_nothing:
    return "came from no input";
  }
  return "";
}

} // namespace

CheckWords way_words(const judge::Check& check, const facts::Astray& found) {
  const auto& measure = check.measures.front();
  return {fmt::format("{} {}", counted(measure.value, "element"), how(found)), "",
          measure.high == 0 ? "none" : thousands(measure.high),
          fmt::format("of {} in {}, {} took another way than the exercise asks: {}[{}] {}",
                      counted(found.elements, "element"), check.shape, thousands(measure.value),
                      found.buffer, thousands(found.first), how(found)),
          true};
}

} // namespace course::report

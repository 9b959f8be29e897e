#include "report/words/way_words.hpp"

#include "language/translate.hpp"
#include "report/words/numbers.hpp"
#include "report/words/shape_words.hpp"

#include <fmt/format.h>

namespace course::report {

namespace facts = judge::facts;

namespace {

namespace way = device::way;
using device::Way;

std::string through(Way came) {
  if (came & way::voted) return tr("by votes, matches or reductions of lanes");
  if (came & way::multiplied) return tr("by matrix instructions");
  if (came & way::shuffled) return tr("by shuffles");
  if (came & way::global) return tr("through global memory");
  constexpr Way kTile = way::stored | way::copied;
  if ((came & kTile) == kTile) return tr("through shared memory");
  if (came & way::copied) return tr("through shared memory by asynchronous copies");
  if (came & way::stored) return tr("through shared memory by stores of threads");
  if (came & way::direct) return tr("straight from the thread that loaded it");
  return tr("by no way");
}

std::string how(const facts::Astray& found) {
  switch (found.how) {
  case facts::Astray::How::forbidden:
    return trc("a value", "came {}", through(found.part));
  case facts::Astray::How::not_through:
    return trc("a value", "did not come {}", through(found.part));
  case facts::Astray::How::from_nothing:
    return tr("came from no input");
  }
  return "";
}

} // namespace

CheckWords way_words(const judge::Check& check, const facts::Astray& found) {
  const auto& measure = check.measures.front();
  return {fmt::format("{} {}", counted(measure.value, "{} element", "{} elements"), how(found)), "",
          measure.high == 0 ? tr("none") : thousands(measure.high),
          tr("of {} in {}, {} took another way than the exercise asks: {} {}",
             counted(found.elements, "{} element", "{} elements"), called(check.shape),
             thousands(measure.value), fmt::format("{}[{}]", found.buffer, thousands(found.first)),
             how(found)),
          true};
}

} // namespace course::report

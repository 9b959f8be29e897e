#include "judge/way.hpp"

#include "judge/numbers.hpp"
#include "judge/shown.hpp"

#include <algorithm>

namespace course::judge {
namespace {

namespace way = device::way;
using device::Way;

bool as_asked(const WayBound& asked, Way came) {
  const bool meets = std::ranges::all_of(asked.through, [&](Way one) { return came & one; });
  return meets && came != 0 && (came & ~asked.may) == 0;
}

// What the words begin with: the part of the way that is not allowed, or else the one that is
// missing.
std::string astray(const WayBound& asked, Way came) {
  const Way wrong = came & ~asked.may;
  if (wrong) return "came " + way_words(wrong);
  for (const Way one : asked.through)
    if (!(came & one)) return "did not come " + way_words(one);
  return "came from no input";
}

} // namespace

std::string way_words(Way came) {
  static const std::pair<Way, const char*> words[] = {
      {way::voted, "by votes, matches or reductions of lanes"},
      {way::multiplied, "by matrix instructions"},
      {way::shuffled, "by shuffles"},
      {way::global, "through global memory"},
      {way::stored | way::copied, "through shared memory"},
      {way::copied, "through shared memory by asynchronous copies"},
      {way::stored, "through shared memory by stores of threads"},
      {way::direct, "straight from the thread that loaded it"},
  };
  for (const auto& [bits, text] : words)
    if (came & bits && (came & bits) == bits) return text;
  return "by no way";
}

WayTaken way_taken(const WayBound& asked, std::span<const Way> ways, std::uint64_t bytes) {
  WayTaken taken;
  taken.elements = ways.size() / bytes;
  for (std::uint64_t i = 0; i < taken.elements; ++i) {
    Way came = 0;
    for (const Way byte : ways.subspan(i * bytes, bytes)) came |= byte;
    if (as_asked(asked, came)) continue;
    if (taken.astray++ == 0) taken.first = i, taken.came = came;
  }
  return taken;
}

Check with_way(Check check, Executions executions) {
  if (check.status != Status::passed) return check;
  for (const auto& execution : executions) {
    if (!execution.way || !execution.bounds.way) continue;
    const auto& asked = *execution.bounds.way;
    const auto& taken = *execution.way;
    if (taken.elements == 0 && execution.bounds.elements > 0)
      return nothing_to_look_at(check, "the way of the data was not followed");
    if (taken.astray <= asked.stay) continue;
    const auto how = astray(asked, taken.came);
    check.status = Status::failed;
    check.shape = execution.shape;
    check.place = {};
    check.measures = {{"elements_astray", taken.astray, 0, asked.stay}};
    check.observed = counted(taken.astray, "element") + " " + how;
    check.limit = asked.stay == 0 ? "none" : thousands(asked.stay);
    check.message = "of " + counted(taken.elements, "element") + " in " + execution.shape + ", " +
                    thousands(taken.astray) +
                    " took another way than the exercise asks: " + execution.output_name + "[" +
                    thousands(taken.first) + "] " + how;
    return check;
  }
  return check;
}

} // namespace course::judge

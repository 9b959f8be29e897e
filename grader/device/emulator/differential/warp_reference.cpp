#include "device/emulator/differential/warp_reference.hpp"

namespace course::emulator::differential {
namespace {

bool in(std::uint32_t lanes, int lane) {
  return lane >= 0 && lane < 32 && (lanes >> lane & 1);
}

// c[4:0] is the clamp, c[12:8] the mask of a segment's lane numbers. A source beyond the segment is
// the lane itself, and p is false.
LaneResult shuffle(const Name& name, const WarpSources& warp, std::uint32_t lane) {
  const LaneSources& mine = warp[lane];
  const int self = static_cast<int>(lane), by = static_cast<int>(mine.operand % 32);
  const int clamp = static_cast<int>(mine.control % 32);
  const int segment = static_cast<int>(mine.control / 256 % 32);
  const int last = (self & segment) + (clamp & (31 - segment));
  int from = 0;
  if (name.has("up")) from = self - by;
  if (name.has("down")) from = self + by;
  if (name.has("bfly")) from = self ^ by;
  if (name.has("idx")) from = (self & segment) + (by & (31 - segment));
  const bool found = name.has("up") ? from >= last : from <= last;
  if (!found) from = self;
  const bool defined = in(mine.group, from);
  return {defined ? masked(warp[static_cast<std::size_t>(from)].value, 32) : 0, found, defined};
}

LaneResult vote(const Name& name, const WarpSources& warp, std::uint32_t lane) {
  std::uint32_t yes = 0;
  for (int i = 0; i < 32; ++i)
    if (in(warp[lane].group, i) && warp[static_cast<std::size_t>(i)].predicate) yes |= 1u << i;
  const bool all = yes == warp[lane].group, any = yes != 0;
  if (name.has("ballot")) return {yes};
  return {name.has("all") ? all : name.has("any") ? any : all || !any};
}

LaneResult match(const Name& name, const WarpSources& warp, std::uint32_t lane) {
  const std::uint32_t group = warp[lane].group;
  const int bits = bits_of_type(name.type());
  std::uint32_t same = 0;
  for (int i = 0; i < 32; ++i) {
    const bool equal =
        masked(warp[static_cast<std::size_t>(i)].value, bits) == masked(warp[lane].value, bits);
    if (in(group, i) && equal) same |= 1u << i;
  }
  if (name.has("any")) return {same};
  return {same == group ? group : 0, same == group};
}

LaneResult reduce(const Name& name, const WarpSources& warp, std::uint32_t lane) {
  __int128 result = 0;
  bool first = true;
  for (int i = 0; i < 32; ++i) {
    if (!in(warp[lane].group, i)) continue;
    const __int128 each = integer_of(warp[static_cast<std::size_t>(i)].value, name.type());
    if (first)
      result = each;
    else if (name.has("add"))
      result += each;
    else if (name.has("min"))
      result = each < result ? each : result;
    else if (name.has("max"))
      result = each > result ? each : result;
    else if (name.has("and"))
      result &= each;
    else if (name.has("or"))
      result |= each;
    else
      result ^= each;
    first = false;
  }
  return {masked(static_cast<Bits>(result), 32)};
}

LaneResult active(const Name&, const WarpSources& warp, std::uint32_t lane) {
  return {warp[lane].active};
}

// Which lane is elected is left open, but not that all of a group agree. The emulated device takes
// the lowest, as the GPU was seen to do.
LaneResult elect(const Name&, const WarpSources& warp, std::uint32_t lane) {
  std::uint32_t leader = 0;
  while (!in(warp[lane].group, static_cast<int>(leader))) ++leader;
  return {leader, leader == lane};
}

} // namespace

const std::vector<WarpForm>& warp_forms() {
  using S = WarpForm::Second;
  static const std::vector<WarpForm> all = [] {
    std::vector<WarpForm> made;
    for (const char* way : {"up", "down", "bfly", "idx"})
      made.push_back({std::string("shfl.sync.") + way + ".b32", shuffle, "wwwww", S::optional});
    for (const char* mode : {"all", "any", "uni"})
      made.push_back({std::string("vote.sync.") + mode + ".pred", vote, "ppw"});
    made.push_back({"vote.sync.ballot.b32", vote, "wpw"});
    for (const std::string type : {"b32", "b64"}) {
      const char* letters = type == "b32" ? "www" : "wdw";
      made.push_back({"match.any.sync." + type, match, letters});
      made.push_back({"match.all.sync." + type, match, letters, S::optional});
    }
    for (const std::string operation : {"add", "min", "max"})
      for (const char* type : {".u32", ".s32"})
        made.push_back({"redux.sync." + operation + type, reduce, "www"});
    for (const char* operation : {"and", "or", "xor"})
      made.push_back({std::string("redux.sync.") + operation + ".b32", reduce, "www"});
    made.push_back({"elect.sync", elect, "ww", S::always});
    made.push_back({"activemask.b32", active, "w"});
    return made;
  }();
  return all;
}

} // namespace course::emulator::differential

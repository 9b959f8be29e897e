#include "report/words/way_words.hpp"

#include "language/translate.hpp"
#include "report/words/count_words.hpp"
#include "report/words/numbers.hpp"
#include "report/words/shape_words.hpp"

#include <fmt/format.h>

namespace course::report {

namespace facts = judge::facts;

namespace {

namespace way = device::way;
using device::Way;

std::string through(Way came) {
  if ((came & ~way::details) == 0) {
    if (came & way::bulk) return tr("by bulk copies");
    if (came & way::map) return tr("by a tensor map");
    if (came & way::results) return tr("through global memory from another block");
    if (came & way::warpgroup) return tr("by products of a warpgroup (wgmma)");
    if (came & way::rows) return tr("by ldmatrix");
    if (came & way::loose) return tr("by an operand without ldmatrix");
    if (came & way::warps) return tr("through shared memory from another warp");
    if (came & way::blocks) return tr("through shared memory from another block");
    if (came & way::constant) return tr("by numbers from __constant__ variables");
    if (came & way::local) return tr("through local memory");
    if (came & way::out) return tr("to global memory by bulk copies");
  }
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

// As something that an answer is made of.
std::string called_part(Way part) {
  if (part & way::voted) return tr("votes");
  if (part & way::multiplied) return tr("matrix instructions");
  if (part & way::shuffled) return tr("shuffles");
  constexpr Way kTile = way::stored | way::copied;
  if ((part & kTile) == kTile) return tr("shared memory");
  if (part & way::copied) return tr("asynchronous copies");
  if (part & way::bulk) return tr("bulk copies");
  if (part & way::warpgroup) return tr("products of a warpgroup (wgmma)");
  if (part & way::rows) return tr("ldmatrix");
  if (part & way::loose) return tr("operands without ldmatrix");
  if (part & way::warps) return tr("exchange between warps");
  if (part & way::blocks) return tr("exchange between blocks of a cluster");
  if (part & way::map) return tr("tensor maps");
  if (part & way::results) return tr("what another block left in global memory");
  if (part & way::constant) return tr("constant memory");
  if (part & way::out) return tr("bulk copies to global memory");
  return tr("local memory");
}

std::string called_used(device::Used what) {
  switch (what) {
  case device::Used::phase_arrivals:
    return tr("barriers in memory");
  case device::Used::constant_loads:
    return tr("loads of constants");
  case device::Used::local_accesses:
    return tr("local memory");
  case device::Used::copied_bytes:
    return tr("stages that copies fill");
  case device::Used::dynamic_bytes:
    return tr("dynamic shared memory");
  case device::Used::shared_updates:
    return tr("counts in shared memory");
  case device::Used::loads_meanwhile:
    return tr("work while copies are under way");
  case device::Used::copies_ahead:
    return tr("batches that are under way");
  case device::Used::bytes_ahead:
    return tr("stages that are filled ahead");
  case device::Used::lent_bytes:
    return tr("reading of what other blocks keep");
  case device::Used::barriers_of_all:
    return tr("barriers of the whole block on the way");
  case device::Used::words_alone:
    return tr("sums of lanes in shared memory");
  case device::Used::busiest_bytes:
    return tr("warp that works for the others");
  case device::Used::constant_bytes:
    return tr("table of constants");
  case device::Used::table_bytes:
    return tr("table in global memory");
  }
  return "";
}

std::string amount_of(device::Used what, std::uint64_t number) {
  switch (what) {
  case device::Used::phase_arrivals:
    return counted(number, "{} arrival at barriers in memory", "{} arrivals at barriers in memory");
  case device::Used::constant_loads:
    return counted(number, "{} load from constant memory", "{} loads from constant memory");
  case device::Used::local_accesses:
    return counted(number, "{} access to local memory", "{} accesses to local memory");
  case device::Used::copied_bytes:
    return counted(number, "{} byte of a block's shared memory filled by copies",
                   "{} bytes of a block's shared memory filled by copies");
  case device::Used::dynamic_bytes:
    return counted(number, "{} byte of a block's dynamic shared memory written",
                   "{} bytes of a block's dynamic shared memory written");
  case device::Used::shared_updates:
    return counted(number, "{} store or atomic of a thread to shared memory",
                   "{} stores and atomics of threads to shared memory");
  case device::Used::loads_meanwhile:
    return counted(number, "{} load of a thread from shared memory while copies are under way",
                   "{} loads of threads from shared memory while copies are under way");
  case device::Used::copies_ahead:
    return counted(number, "{} byte loaded while a batch of copies is under way",
                   "{} bytes loaded, for each batch of copies that is under way meanwhile");
  case device::Used::bytes_ahead:
    return counted(number, "{} byte at a time that waits in shared memory to be read",
                   "{} bytes at a time that wait in shared memory to be read");
  case device::Used::lent_bytes:
    return counted(number, "{} byte of a block's shared memory read by other blocks",
                   "{} bytes of a block's shared memory read by other blocks");
  case device::Used::barriers_of_all:
    return counted(number, "{} barrier of a warp at which the whole block meets",
                   "{} barriers of warps at which the whole block meets");
  case device::Used::words_alone:
    return counted(
        number,
        "{} word that a thread stores in shared memory, beyond two for each shuffle of its warp",
        "{} words that threads store in shared memory, beyond two for each shuffle of their warp");
  case device::Used::busiest_bytes:
    return counted(number, "{} byte of the input loaded by the warp of a block that loads most",
                   "{} bytes of the input loaded by the warp of each block that loads most");
  case device::Used::constant_bytes:
    return counted(number, "{} byte of constant memory read", "{} bytes of constant memory read");
  case device::Used::table_bytes:
    return counted(number, "{} byte of a table in global memory read",
                   "{} bytes of a table in global memory read");
  }
  return "";
}

std::string looked_for(const facts::Uses& found) {
  std::vector<std::string> all;
  for (const auto part : found.parts) all.push_back(called_part(part));
  for (const auto what : found.counted) all.push_back(called_used(what));
  if (found.never) all.push_back(tr("no {}", called_part(found.never)));
  for (const auto what : found.few) all.push_back(tr("no {}", called_used(what)));
  return listed(all);
}

} // namespace

CheckWords uses_words(const judge::Check& check, const facts::Uses& found) {
  if (!found.off) return {looked_for(found), "", "", ""};
  const auto& measure = check.measures.front();
  const bool less = measure.value < measure.low;
  const auto limit = less ? tr("at least {}", thousands(measure.low)) : thousands(measure.high);
  return {amount_of(*found.off, measure.value), "", limit,
          tr("{} in {}, where the work takes {}", amount_of(*found.off, measure.value),
             called(check.shape), less ? limit : tr("at most {}", limit)),
          true};
}

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

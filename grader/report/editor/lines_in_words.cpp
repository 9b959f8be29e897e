#include "report/editor/lines_in_words.hpp"

#include "device/model/counted.hpp"
#include "device/model/request_type.hpp"
#include "device/model/shared.hpp"
#include "judge/counts.hpp"
#include "language/translate.hpp"
#include "report/launches/summary.hpp"
#include "report/picture/lane_picture.hpp"
#include "report/questions.hpp"
#include "report/sampled_request.hpp"
#include "report/sector_rows.hpp"
#include "report/text.hpp"
#include "report/words/access_words.hpp"
#include "report/words/numbers.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace course::report {
namespace {

using model::Memory;

constexpr Terminal kScreen{kPageColumns, false};
constexpr int kDrawnIndent = 2;
constexpr int kMostTurns = 8; // rows of a picture of banks

// What the rows of one memory amount to.
struct Sum {
  std::uint64_t requests = 0, wavefronts = 0, ideal = 0, sectors = 0, replays = 0;
  bool at_least = false, conflicts_at_least = false, exact = true;

  void add(const device::LineCounts& row) {
    model::add_counts(*this, row);
    at_least = at_least || row.at_least;
    conflicts_at_least = conflicts_at_least || row.conflicts_at_least;
    exact = exact && row.width_from_sass && !row.may_fill;
  }
  // How many a request: `one` and `many` are of counted().
  std::string few(std::uint64_t count, fmt::format_string<std::string> one,
                  fmt::format_string<std::string> many) const {
    return few(count, one, many, at_least);
  }
  std::string few_conflicts() const {
    return few(wavefronts - ideal, "{} conflict", "{} conflicts", conflicts_at_least);
  }

private:
  std::string few(std::uint64_t count, fmt::format_string<std::string> one,
                  fmt::format_string<std::string> many, bool or_more) const {
    const auto text = trn(one, many, count == requests ? 1 : 2, ratio(count, requests));
    return or_more ? tr("at least {}", text) : text;
  }
};

struct Sums {
  Sum shared, global, constant, remote;

  explicit Sums(const LineRows& rows) {
    for (const auto* row : rows) {
      const auto memory = row->kind.use().memory;
      if (memory == Memory::remote && !model::is_bulk(row->kind.access)) remote.add(*row);
      if (!model::is_plain(memory) || row->requests == 0) continue;
      // An asynchronous copy is one request, in shared memory and in global.
      if (row->wavefronts > 0) shared.add(*row);
      if (row->sectors > 0) global.add(*row);
      if (memory == Memory::constant) constant.add(*row);
    }
  }
};

std::string marked(const device::LineCounts& row) {
  if (!row.width_from_sass)
    return " " + tr("What the compiler made of it is not known: it is counted as the PTX has it.");
  if (row.may_fill)
    return " " +
           tr("These copies may fill up with zeros, and a GPU's counters take some for others.");
  if (row.at_least && row.kind.is_on(Memory::remote))
    return " " + tr("A GPU takes a few sectors more for some atomics to several blocks.");
  if (row.at_least && !row.conflicts_at_least)
    return " " + tr("A GPU takes more passes where warps try again, but no more conflicts.");
  return row.at_least ? " " + tr("A GPU counts at least that, and each time another number.") : "";
}

std::string banks_drawn(const device::LineCounts& row) {
  if (!model::has_rule(row.kind.access, static_cast<int>(row.worst.width))) return "";
  const auto request = request_of(row.kind, row.worst);
  PictureOptions options;
  options.columns = kPageColumns;
  options.indent = kDrawnIndent;
  options.lanes = lanes_in_conflict(row);
  auto text = lane_rows(request, Fit::shorten, options);
  if (row.conflicts() > 0) text += "\n" + bank_rows(request, kMostTurns, options);
  return text;
}

std::string shared_row(const device::LineCounts& row) {
  const auto cost =
      row.conflicts() == 0
          ? tr("{}: {}, no conflicts.", access_words(row.kind),
               counted(row.requests, "{} request", "{} requests"))
          : tr("{}: {}-way conflict. {} took {} instead of {}.", access_words(row.kind),
               judge::ways(row), counted(row.requests, "{} request", "{} requests"),
               counted(row.wavefronts, "{} pass", "{} passes"), thousands(row.ideal));
  auto text = wrapped(cost + marked(row), kPageColumns, 0) + "\n" + banks_drawn(row);
  if (row.conflicts() > 0) text += "\n" + wrapped(ask_about_conflicts(row), kPageColumns, 0);
  return text;
}

std::string global_row(const device::LineCounts& row) {
  const auto cost = tr("{}: {}, {} of 32 bytes each.", access_words(row.kind),
                       counted(row.requests, "{} request", "{} requests"),
                       tr("{} sectors", ratio(row.sectors, row.requests)));
  auto text = wrapped(cost + marked(row), kPageColumns, 0) + "\n" +
              sector_rows(row.worst, kScreen, kDrawnIndent);
  if (sectors_wasted(row) > 0) text += "\n" + wrapped(ask_about_sectors({}, row), kPageColumns, 0);
  return text;
}

} // namespace

std::string in_few_words(const LineRows& rows) {
  const Sums sums(rows);
  std::vector<std::string> parts;
  const bool no_replays = sums.constant.requests > 0 && sums.constant.replays == 0;
  const bool no_conflicts = sums.shared.requests > 0 && !sums.shared.conflicts_at_least &&
                            sums.shared.wavefronts == sums.shared.ideal;
  if (sums.shared.requests > 0)
    parts.push_back(no_conflicts ? tr("no conflicts") : sums.shared.few_conflicts());
  if (sums.global.requests > 0)
    parts.push_back(sums.global.few(sums.global.sectors, "{} sector", "{} sectors"));
  if (sums.remote.requests > 0)
    parts.push_back(sums.remote.few(sums.remote.sectors, "{} remote sector", "{} remote sectors"));
  if (sums.constant.requests > 0)
    parts.push_back(no_replays
                        ? tr("no replays")
                        : sums.constant.few(sums.constant.replays, "{} replay", "{} replays"));
  std::string text;
  for (const auto& part : parts)
    text = text.empty() ? part : trc("counts of a line", "{}, {}", text, part);
  if (text.empty()) return "";
  const bool ends_in_none = no_replays || (no_conflicts && parts.size() == 1);
  if (!ends_in_none) text = trc("counts of a line", "{} per request", text);
  const bool exact =
      sums.shared.exact && sums.global.exact && sums.constant.exact && sums.remote.exact;
  return exact ? text : tr("{} (as the PTX has it)", text);
}

std::string in_sentences(const LineRows& rows) {
  const Sums sums(rows);
  std::string text;
  const auto sentence = [&](std::uint64_t requests, const std::string& memory,
                            const std::string& cost) {
    if (requests == 0) return;
    if (!text.empty()) text += ' ';
    text += tr("{} to {}: {}.", counted(requests, "{} request", "{} requests"), memory, cost);
  };
  sentence(sums.shared.requests, tr("shared memory"),
           tr("{} where {} would do",
              counted(sums.shared.wavefronts, "{} wavefront", "{} wavefronts"),
              thousands(sums.shared.ideal)));
  sentence(sums.global.requests, tr("global memory"),
           counted(sums.global.sectors, "{} sector", "{} sectors"));
  sentence(sums.remote.requests, tr("shared memory of other blocks"),
           counted(sums.remote.sectors, "{} sector", "{} sectors"));
  sentence(sums.constant.requests, tr("constant memory"),
           counted(sums.constant.replays, "{} replay", "{} replays"));
  return text;
}

std::string drawn(const LineRows& rows) {
  auto by_cost = rows;
  std::ranges::stable_sort(by_cost, [](const auto* one, const auto* other) {
    return one->conflicts() > other->conflicts();
  });
  std::string text;
  for (const auto* row : by_cost) {
    if (!model::is_plain(row->kind.use().memory) || row->requests == 0) continue;
    const auto part = row->wavefronts > 0 ? shared_row(*row)
                      : row->sectors > 0  ? global_row(*row)
                                          : "";
    if (!part.empty()) text += (text.empty() ? "" : "\n") + part;
  }
  return text;
}

} // namespace course::report

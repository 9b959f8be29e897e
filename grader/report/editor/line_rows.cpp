#include "report/editor/line_rows.hpp"

#include "device/model/access_name.hpp"
#include "device/model/shared.hpp"
#include "judge/counts.hpp"
#include "report/launches/summary.hpp"
#include "report/picture/lane_picture.hpp"
#include "report/questions.hpp"
#include "report/sector_rows.hpp"
#include "report/text.hpp"
#include "report/words/numbers.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace course::report {
namespace {

constexpr Terminal kScreen{kPageColumns, false};
constexpr int kDrawnIndent = 2;
constexpr int kMostTurns = 8; // rows of a picture of banks

// What the rows of one memory amount to.
struct Sum {
  std::uint64_t requests = 0, wavefronts = 0, ideal = 0, sectors = 0, replays = 0;
  bool at_least = false, exact = true;

  void add(const device::LineCounts& row) {
    requests += row.requests;
    wavefronts += row.wavefronts;
    ideal += row.ideal;
    sectors += row.sectors;
    replays += row.replays;
    at_least = at_least || row.at_least;
    exact = exact && row.width_from_sass;
  }
  std::string few(std::uint64_t count, const char* noun) const {
    const auto each = ratio(count, requests);
    return fmt::format("{}{} {}{}", at_least ? "at least " : "", each, noun,
                       each == "1" ? "" : "s");
  }
};

struct Sums {
  Sum shared, global, constant, remote;

  explicit Sums(const LineRows& rows) {
    for (const auto* row : rows) {
      const auto kind = judge::access(row->access);
      if (row->access.starts_with("dshared")) remote.add(*row); // shared memory of another block
      if (!kind || row->requests == 0) continue;
      // An asynchronous copy is one request, in shared memory and in global.
      if (row->wavefronts > 0) shared.add(*row);
      if (row->sectors > 0) global.add(*row);
      if (kind->space == judge::Space::constant) constant.add(*row);
    }
  }
};

std::string access_words(const std::string& access) {
  std::string text = printable(access);
  std::ranges::replace(text, '_', ' ');
  return text;
}

std::string marked(const device::LineCounts& row) {
  if (!row.width_from_sass)
    return " What the compiler made of it is not known: it is counted as the PTX has it.";
  return row.at_least ? " A GPU counts at least that, and each time another number." : "";
}

std::string banks_drawn(const device::LineCounts& row) {
  const auto kind = model::kind_of(row.access);
  if (!kind || !model::has_rule(kind->access, static_cast<int>(row.worst.width))) return "";
  model::Request request;
  request.access = kind->access;
  request.width = static_cast<int>(row.worst.width);
  request.active = row.worst.active;
  for (int lane = 0; lane < model::kLanes; ++lane)
    request.offset[lane] = static_cast<std::uint32_t>(row.worst.offset[lane]);
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
          ? fmt::format("{}: {}, no conflicts.", access_words(row.access),
                        counted(row.requests, "request"))
          : fmt::format("{}: {}-way conflict. {} took {} instead of {}.", access_words(row.access),
                        judge::ways(row), counted(row.requests, "request"),
                        counted(row.wavefronts, "pass", "passes"), thousands(row.ideal));
  auto text = wrapped(cost + marked(row), kPageColumns, 0) + "\n" + banks_drawn(row);
  if (row.conflicts() > 0) text += "\n" + wrapped(ask_about_conflicts(row), kPageColumns, 0);
  return text;
}

std::string global_row(const device::LineCounts& row) {
  const auto cost =
      fmt::format("{}: {}, {} of 32 bytes each.", access_words(row.access),
                  counted(row.requests, "request"), ratio(row.sectors, row.requests) + " sectors");
  auto text = wrapped(cost + marked(row), kPageColumns, 0) + "\n" +
              sector_rows(row.worst, kScreen, kDrawnIndent);
  const auto needed = sectors_needed(row.access) * row.requests;
  if (needed > 0 && row.sectors > needed)
    text += "\n" + wrapped(ask_about_sectors({}, row), kPageColumns, 0);
  return text;
}

} // namespace

std::string in_few_words(const LineRows& rows) {
  const Sums sums(rows);
  std::vector<std::string> parts;
  if (sums.shared.requests > 0)
    parts.push_back(sums.shared.wavefronts == sums.shared.ideal && !sums.shared.at_least
                        ? "no conflicts"
                        : sums.shared.few(sums.shared.wavefronts - sums.shared.ideal, "conflict"));
  if (sums.global.requests > 0) parts.push_back(sums.global.few(sums.global.sectors, "sector"));
  if (sums.remote.requests > 0)
    parts.push_back(sums.remote.few(sums.remote.sectors, "remote sector"));
  if (sums.constant.requests > 0)
    parts.push_back(sums.constant.replays == 0
                        ? "no replays"
                        : sums.constant.few(sums.constant.replays, "replay"));
  std::string text;
  for (const auto& part : parts) text += (text.empty() ? "" : ", ") + part;
  if (text.empty()) return "";
  if (!parts.back().starts_with("no ")) text += " a request";
  const bool exact =
      sums.shared.exact && sums.global.exact && sums.constant.exact && sums.remote.exact;
  return exact ? text : text + " (as the PTX has it)";
}

std::string in_sentences(const LineRows& rows) {
  const Sums sums(rows);
  std::string text;
  const auto sentence = [&](std::uint64_t requests, const char* memory, const std::string& cost) {
    if (requests == 0) return;
    text += fmt::format("{}{} to {}: {}.", text.empty() ? "" : " ", counted(requests, "request"),
                        memory, cost);
  };
  sentence(sums.shared.requests, "shared memory",
           fmt::format("{} where {} would do", counted(sums.shared.wavefronts, "wavefront"),
                       thousands(sums.shared.ideal)));
  sentence(sums.global.requests, "global memory", counted(sums.global.sectors, "sector"));
  sentence(sums.remote.requests, "shared memory of other blocks",
           counted(sums.remote.sectors, "sector"));
  sentence(sums.constant.requests, "constant memory", counted(sums.constant.replays, "replay"));
  return text;
}

std::string drawn(const LineRows& rows) {
  auto by_cost = rows;
  std::ranges::stable_sort(by_cost, [](const auto* one, const auto* other) {
    return one->conflicts() > other->conflicts();
  });
  std::string text;
  for (const auto* row : by_cost) {
    const auto kind = judge::access(row->access);
    if (!kind || row->requests == 0) continue;
    const auto part = row->wavefronts > 0 ? shared_row(*row)
                      : row->sectors > 0  ? global_row(*row)
                                          : "";
    if (!part.empty()) text += (text.empty() ? "" : "\n") + part;
  }
  return text;
}

} // namespace course::report

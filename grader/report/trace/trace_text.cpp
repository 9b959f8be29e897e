#include "language/translate.hpp"
#include "report/picture/lane_picture.hpp"
#include "report/quote.hpp"
#include "report/sector_rows.hpp"
#include "report/trace/steps.hpp"
#include "report/trace/trace.hpp"
#include "report/words/access_words.hpp"
#include "report/words/numbers.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace course::report {
namespace {

constexpr int kIndent = 2;
constexpr int kPictureIndent = 4;
constexpr int kMostPasses = 8;         // rows of a picture
constexpr std::size_t kMostSteps = 40; // on a screen

std::string picture(const device::WatchedRequest& watched, const Terminal& terminal) {
  if (const auto request = shared_request(watched)) {
    PictureOptions options;
    options.columns = terminal.columns;
    options.indent = kPictureIndent;
    options.colour = terminal.colour;
    return lane_rows(*request, Fit::shorten, options) + "\n" +
           bank_rows(*request, kMostPasses, options);
  }
  return takes_sectors(watched) ? sector_rows(watched.request, terminal, kPictureIndent) : "";
}

std::string number(const Step& step) {
  return step.first == step.last ? tr("step {}", step.first)
                                 : tr("steps {} to {}", step.first, step.last);
}

std::string moved(std::int64_t bytes) {
  if (bytes == 0) return tr("the same once more");
  const auto by = counted(static_cast<std::uint64_t>(std::abs(bytes)), "{} byte", "{} bytes");
  return bytes > 0 ? tr("as before, {} further on", by) : tr("as before, {} further back", by);
}

std::string each_time(std::int64_t bytes) {
  if (bytes == 0) return tr("where it was");
  const auto by = counted(static_cast<std::uint64_t>(std::abs(bytes)), "{} byte", "{} bytes");
  return bytes > 0 ? tr("{} further on each time", by) : tr("{} further back each time", by);
}

std::string how_repeated(const Step& step) {
  const auto& turn = step.in_turn;
  if (turn.size() == 2)
    return tr("the last two in turn: the first {}, the second {}", each_time(turn[0]),
              each_time(turn[1]));
  if (!turn.empty())
    return tr("the last {} in turn, each moved by as much every time", turn.size());
  return step.last > step.first ? tr("{} each", moved(step.moved)) : moved(step.moved);
}

std::string step_text(const Step& step, const Terminal& terminal) {
  if (step.same_as_before) {
    const auto how = how_repeated(step);
    return wrapped(fmt::format("{}   {}", number(step), how), terminal.columns, kIndent);
  }
  const auto heading = fmt::format("{}   {}", number(step),
                                   tr("{}: {}", access_words(step.request.kind), step.cost));
  return inked(wrapped(heading, terminal.columns, kIndent), Ink::bold, terminal) +
         picture(step.request, terminal);
}

// The access that the first request makes, underlined.
std::optional<Underline> under(const Trace& trace) {
  if (trace.requests.empty()) return std::nullopt;
  return underline(trace.source, trace.line, trace.requests.front().kind.use());
}

} // namespace

std::string trace_text(const Trace& trace, const Terminal& terminal) {
  const auto& block = trace.block;
  auto out = wrapped(tr("{}:{}   block ({}, {}, {}), warp {}: {}", printable(trace.file),
                        trace.line, block.x, block.y, block.z, trace.warp,
                        counted(trace.in_all, "{} request", "{} requests")),
                     terminal.columns, kIndent);
  out += quote(trace.source, trace.line, under(trace), terminal);
  const auto steps = steps_of(trace.requests);
  const auto shown = std::min(steps.size(), kMostSteps);
  for (std::size_t i = 0; i < shown; ++i) {
    const bool close = i > 0 && steps[i].same_as_before && steps[i - 1].same_as_before;
    if (!close) out += '\n';
    out += step_text(steps[i], terminal);
  }
  const auto last = shown == 0 ? 0 : steps[shown - 1].last;
  if (last < trace.in_all)
    out +=
        "\n  " +
        tr("and {} that are not shown", counted(trace.in_all - last, "{} request", "{} requests")) +
        "\n";
  return out;
}

} // namespace course::report

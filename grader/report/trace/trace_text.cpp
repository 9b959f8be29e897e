#include "judge/counts.hpp"
#include "report/picture/lane_picture.hpp"
#include "report/quote.hpp"
#include "report/sector_rows.hpp"
#include "report/trace/steps.hpp"
#include "report/trace/trace.hpp"
#include "report/words/numbers.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace course::report {
namespace {

constexpr int kIndent = 2;
constexpr int kPictureIndent = 4;
constexpr int kMostPasses = 8;         // rows of a picture
constexpr std::size_t kMostSteps = 40; // on a screen

std::string access_text(const std::string& access) {
  std::string text = printable(access);
  std::replace(text.begin(), text.end(), '_', ' ');
  return text;
}

std::string picture(const device::WatchedRequest& watched, const Terminal& terminal) {
  if (const auto request = shared_request(watched)) {
    PictureOptions options;
    options.columns = terminal.columns;
    options.indent = kPictureIndent;
    options.colour = terminal.colour;
    return lane_rows(*request, Fit::shorten, options) + "\n" +
           bank_rows(*request, kMostPasses, options);
  }
  return is_global(watched) ? sector_rows(watched.request, terminal, kPictureIndent) : "";
}

std::string number(const Step& step) {
  return step.first == step.last ? fmt::format("step {}", step.first)
                                 : fmt::format("steps {} to {}", step.first, step.last);
}

std::string moved(std::int64_t bytes) {
  if (bytes == 0) return "the same once more";
  return fmt::format("as before, {} {}",
                     counted(static_cast<std::uint64_t>(std::abs(bytes)), "byte"),
                     bytes > 0 ? "further on" : "further back");
}

std::string step_text(const Step& step, const Terminal& terminal) {
  if (step.same_as_before) {
    const bool each = step.last > step.first;
    return wrapped(fmt::format("{}   {}{}", number(step), moved(step.moved), each ? " each" : ""),
                   terminal.columns, kIndent);
  }
  const auto heading =
      fmt::format("{}   {}: {}", number(step), access_text(step.request.access), step.cost);
  return inked(wrapped(heading, terminal.columns, kIndent), Ink::bold, terminal) +
         picture(step.request, terminal);
}

// The access that the first request makes, underlined.
std::optional<Underline> under(const Trace& trace) {
  if (trace.requests.empty()) return std::nullopt;
  const auto kind = judge::access(trace.requests.front().access);
  return kind ? underline(trace.source, trace.line, *kind) : std::nullopt;
}

} // namespace

std::string trace_text(const Trace& trace, const Terminal& terminal) {
  const auto& block = trace.block;
  auto out = wrapped(fmt::format("{}:{}   block ({}, {}, {}), warp {}: {}", printable(trace.file),
                                 trace.line, block.x, block.y, block.z, trace.warp,
                                 counted(trace.in_all, "request")),
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
    out += fmt::format("\n  and {} that are not shown\n", counted(trace.in_all - last, "request"));
  return out;
}

} // namespace course::report

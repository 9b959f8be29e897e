#include "language/translate.hpp"
#include "report/picture/bank_turns.hpp"
#include "report/trace/steps.hpp"
#include "report/trace/trace.hpp"

#include "device/model/sectors.hpp"
#include "device/model/shared.hpp"
#include "report/markup.hpp"
#include "report/words/access_words.hpp"
#include "report/words/numbers.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace course::report {
namespace {

// All in pixels. A cell a bank, or a lane, 32 in a row.
constexpr int kCell = 21, kGap = 1;
constexpr int kLeft = 84; // titles of rows
constexpr int kTop = 14;
constexpr int kWidth = kLeft + 32 * (kCell + kGap) + 12;
constexpr int kLine = 20; // of text
constexpr std::size_t kMostTurns = 32, kMostPictures = 24;

// Colours by what they mean, for both kinds of background. Text is dark on light cells and light on
// dark ones, at a contrast of 4.5 or more.
constexpr const char* kStyle = R"(<style>
  svg { color-scheme: light dark; }
  text { font: 12px ui-monospace, Menlo, Consolas, "DejaVu Sans Mono", monospace; fill: #1f2328; }
  .page { fill: #ffffff; }
  .title { font-weight: bold; }
  .faint { fill: #59636e; }
  .cell { text-anchor: middle; font-size: 11px; }
  .idle { fill: #eef1f4; }
  .served { fill: #b6e3ff; }
  .other { fill: #d8ccf5; }
  .extra { fill: #ffc1ba; }
  @media (prefers-color-scheme: dark) {
    text { fill: #e6edf3; }
    .page { fill: #0d1117; }
    .faint { fill: #9198a1; }
    .idle { fill: #21262d; }
    .served { fill: #0a4a85; }
    .other { fill: #4b3a86; }
    .extra { fill: #8e1519; }
  }
</style>
)";

class Drawing {
public:
  void text(const std::string& words, const char* kind) {
    body_ += fmt::format("<text class=\"{}\" x=\"12\" y=\"{}\">{}</text>\n", kind, y_ + 14,
                         escaped(words));
    y_ += kLine;
  }
  void gap(int pixels) { y_ += pixels; }

  // Numbers 0, 4, 8, … above the 32 columns.
  void numbers(const std::string& title) {
    row_title(title);
    for (int i = 0; i < 32; i += 4) cell_text(i, std::to_string(i), "cell faint");
    y_ += kCell;
  }

  struct Cell {
    std::string text;
    const char* kind = "idle";
    std::string hint; // shown where the pointer rests
  };
  void row(const std::string& title, const std::array<Cell, 32>& cells) {
    row_title(title);
    for (int i = 0; i < 32; ++i) {
      const auto& cell = cells[static_cast<std::size_t>(i)];
      const auto hint = cell.hint.empty() ? "" : "<title>" + escaped(cell.hint) + "</title>";
      body_ += fmt::format("<rect class=\"{}\" x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" "
                           "rx=\"3\">{}</rect>\n",
                           cell.kind, left(i), y_, kCell, kCell, hint);
      if (!cell.text.empty()) cell_text(i, cell.text, "cell");
    }
    y_ += kCell + kGap;
  }

  std::string document(const std::string& title) const {
    return fmt::format("<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0} {1}\" "
                       "width=\"{0}\" height=\"{1}\" role=\"img\">\n<title>{2}</title>\n{3}"
                       "<rect class=\"page\" width=\"{0}\" height=\"{1}\"/>\n{4}</svg>\n",
                       kWidth, y_ + kTop, escaped(title), kStyle, body_);
  }

private:
  static int left(int column) { return kLeft + column * (kCell + kGap); }
  void row_title(const std::string& title) {
    body_ +=
        fmt::format("<text class=\"faint\" x=\"12\" y=\"{}\">{}</text>\n", y_ + 15, escaped(title));
  }
  void cell_text(int column, const std::string& words, const char* kind) {
    body_ += fmt::format("<text class=\"{}\" x=\"{}\" y=\"{}\">{}</text>\n", kind,
                         left(column) + kCell / 2, y_ + 15, escaped(words));
  }

  int y_ = kTop;
  std::string body_;
};

std::string lanes_text(std::uint32_t lanes) {
  std::string text;
  for (int lane = 0; lane < 32; ++lane)
    if (lanes >> lane & 1) text += (text.empty() ? "" : ", ") + std::to_string(lane);
  return text;
}

void draw_shared(Drawing& drawing, const model::Request& request) {
  const auto turns = bank_turns(request);
  const bool passes = static_cast<int>(turns.size()) == model::shared_passes(request).wavefronts;
  drawing.numbers(trc("of a picture", "bank"));
  for (std::size_t i = 0; i < std::min(turns.size(), kMostTurns); ++i) {
    std::array<Drawing::Cell, 32> cells;
    for (std::size_t bank = 0; bank < cells.size(); ++bank) {
      const auto& mark = turns[i].bank[bank];
      if (mark.lanes == 0) continue;
      const bool several = (mark.lanes & (mark.lanes - 1)) != 0;
      cells[bank] = {std::to_string(mark.lane()) + (several ? "+" : ""),
                     turns[i].first_of_group ? "served" : "extra",
                     tr("bank {}, word {}: lane {}", bank, mark.word, lanes_text(mark.lanes))};
    }
    drawing.row(passes ? tr("pass {}", i + 1) : tr("turn {}", i + 1), cells);
  }
  if (turns.size() > kMostTurns)
    drawing.text(tr("and {} more", turns.size() - kMostTurns), "faint");
}

// Each lane with the number of its sector; neighbours in one sector have one colour.
void draw_global(Drawing& drawing, const device::RequestSample& request) {
  std::uint64_t lowest = UINT64_MAX;
  for (int lane = 0; lane < 32; ++lane)
    if (request.active >> lane & 1) lowest = std::min(lowest, request.offset[lane]);
  drawing.numbers(trc("of a picture", "lane"));
  std::array<Drawing::Cell, 32> cells;
  std::uint64_t before = UINT64_MAX;
  bool other = true;
  for (int lane = 0; lane < 32; ++lane) {
    if ((request.active >> lane & 1) == 0) continue;
    const auto sector = request.offset[lane] / model::kSectorBytes - lowest / model::kSectorBytes;
    if (sector != before) other = !other;
    before = sector;
    cells[static_cast<std::size_t>(lane)] = {
        sector < 1000 ? std::to_string(sector) : "…", other ? "other" : "served",
        tr("lane {}: byte {}, sector {}", lane, request.offset[lane] - lowest, sector)};
  }
  drawing.row(trc("of a picture", "sector"), cells);
}

void draw(Drawing& drawing, const Step& step) {
  if (const auto request = shared_request(step.request)) {
    draw_shared(drawing, *request);
  } else if (takes_sectors(step.request)) {
    draw_global(drawing, step.request.request);
  }
}

// Of pictures; empty where there is none.
std::string legend(const Trace& trace) {
  const auto drawn = [](const auto& request) {
    return takes_sectors(request) || shared_request(request);
  };
  if (std::ranges::none_of(trace.requests, drawn)) return "";
  return takes_sectors(trace.requests.front())
             ? tr("Neighbouring lanes of one colour share a sector.")
             : tr("In a cell: the lane that is served, + with others that want the same word. "
                  "Red: an extra pass.");
}

} // namespace

std::string trace_svg(const Trace& trace) {
  Drawing drawing;
  const auto title = tr("{}:{}, block ({}, {}, {}), warp {}", printable(trace.file), trace.line,
                        trace.block.x, trace.block.y, trace.block.z, trace.warp);
  drawing.text(title, "title");
  auto lines = lines_of(printable(trace.source));
  if (trace.line > 0 && trace.line <= lines.size()) {
    auto& code = lines[trace.line - 1];
    code.erase(0, code.find_first_not_of(' ') == code.npos ? code.size()
                                                           : code.find_first_not_of(' '));
    drawing.text(code, "code");
  }
  std::size_t pictures = 0, hidden = 0;
  for (const auto& step : steps_of(trace.requests)) {
    if (step.same_as_before) continue;
    if (pictures == kMostPictures) {
      ++hidden;
      continue;
    }
    ++pictures;
    drawing.gap(14);
    drawing.text(tr("step {}, {}: {}", step.first, access_words(step.request.kind), step.cost),
                 "title");
    draw(drawing, step);
  }
  drawing.gap(10);
  if (const auto words = legend(trace); !words.empty()) drawing.text(words, "faint");
  drawing.text(tr("Steps like the one before are left out."), "faint");
  if (hidden > 0) drawing.text(tr("{} more are not drawn", hidden), "faint");
  return drawing.document(title);
}

} // namespace course::report

#include "report/profile/source_page.hpp"

#include "language/translate.hpp"
#include "report/called_from.hpp"
#include "report/launches/summary.hpp"
#include "report/markup.hpp"
#include "report/page.hpp"
#include "report/profile/source_view.hpp"
#include "report/sentence.hpp"
#include "report/text.hpp"
#include "report/words/finding_words.hpp"
#include "report/words/message_words.hpp"
#include "report/words/numbers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <functional>
#include <map>
#include <numeric>

namespace course::report {
namespace {

constexpr std::size_t kCounts = 5;
struct CountColumn {
  const char *title, *name; // and its name in the style
};
constexpr std::array<CountColumn, kCounts> kCountColumns{
    {{language::marked("a column", "instructions"), "i"},
     {language::marked("a column", "requests"), "r"},
     {language::marked("a column", "wavefronts"), "w"},
     {language::marked("a column", "conflicts"), "c"},
     {language::marked("a column", "sectors"), "s"}}};
constexpr std::size_t kLongFile = 800; // lines, above which only parts are shown
constexpr std::uint32_t kNear = 8;     // lines around one with counts

// Rows in a grid, so that a chosen heading can order them: every row knows its place by every
// column. Colours are those of the frame (page.cpp).
constexpr const char* kPageStyle = R"(<style>
main { max-width: 100rem; }
.listing { border: 1px solid var(--line); border-radius: .6rem; overflow: auto; max-height: 92vh;
  font: 13px/1.45 ui-monospace, "SFMono-Regular", "DejaVu Sans Mono", monospace; }
.rows { display: grid; min-width: max-content;
  grid-template-columns: repeat(6, max-content) minmax(max-content, 1fr); }
.row { display: grid; grid-template-columns: subgrid; grid-column: 1 / -1; }
.row > * { padding: 0 .7rem; text-align: right; font-variant-numeric: tabular-nums; }
.row > :last-child { text-align: left; white-space: pre; }
.row > .l { color: var(--faint); }
.row:hover { background: var(--card); }
.head { position: sticky; top: 0; order: -1; background: var(--card); z-index: 1;
  border-bottom: 1px solid var(--line); font-weight: 600; }
.head > * { padding-block: .4rem; color: var(--faint); cursor: pointer; }
.head > span { cursor: auto; }
.head input { position: absolute; opacity: 0; width: 0; }
.head label:has(:checked) { color: var(--text); text-decoration: underline; }
.head label:has(:focus-visible) { outline: 2px solid var(--link); outline-offset: -2px; }
.hot { background: color-mix(in srgb, var(--tint) calc(var(--h) * 45%), transparent); }
.c { --tint: var(--red); } .s, .w { --tint: var(--yellow); } .i, .r { --tint: var(--bar); }
.gap > :last-child, .found { color: var(--faint); }
.found { display: block; color: var(--red); white-space: pre-wrap; max-width: 60rem; }
.found.note { color: var(--faint); }
)";

constexpr const char* kNarrowStyle = R"(@media (max-width: 48rem) {
  .rows { grid-template-columns: repeat(3, max-content) minmax(max-content, 1fr); }
  .row > .i, .row > .r, .row > .w { display: none; }
  .row > * { padding: 0 .4rem; } .listing { font-size: 12px; } .found { max-width: 18rem; } }
</style>
)";

using Costs = std::array<std::uint64_t, kCounts>;

struct Line {
  Costs costs{};
  std::vector<const device::Finding*> findings;

  bool is_quiet() const {
    return findings.empty() && std::ranges::all_of(costs, [](auto cost) { return cost == 0; });
  }
};

struct Listing {
  const SourcePage::File* file = nullptr;
  std::map<std::uint32_t, Line> lines;
  Costs most{};
  std::uint64_t heat = 0;
};

Listing listing_of(const SourcePage& page, const SourcePage::File& file) {
  Listing listing{.file = &file, .lines = {}, .most = {}, .heat = 0};
  for (const auto& row : page.instructions)
    if (row.file == file.path && row.line > 0) listing.lines[row.line].costs[0] += row.instructions;
  for (const auto& row : page.lines) {
    if (row.file != file.path || row.line == 0) continue;
    auto& costs = listing.lines[row.line].costs;
    costs[1] += row.requests;
    costs[2] += row.wavefronts;
    costs[3] += bank_conflicts(row);
    costs[4] += row.sectors;
    listing.heat += row.wavefronts + row.sectors;
  }
  for (const auto& finding : page.findings)
    if (finding.file == file.path && finding.line > 0)
      listing.lines[finding.line].findings.push_back(&finding);
  for (const auto& [number, line] : listing.lines)
    for (std::size_t i = 0; i < kCounts; ++i)
      listing.most[i] = std::max(listing.most[i], line.costs[i]);
  return listing;
}

// Places of the lines with counts, by each column: the largest first.
std::map<std::uint32_t, std::array<std::size_t, kCounts>> places_of(const Listing& listing) {
  std::map<std::uint32_t, std::array<std::size_t, kCounts>> places;
  std::vector<std::uint32_t> numbers;
  for (const auto& [number, line] : listing.lines) numbers.push_back(number);
  for (std::size_t i = 0; i < kCounts; ++i) {
    auto sorted = numbers;
    std::ranges::stable_sort(sorted, [&](std::uint32_t a, std::uint32_t b) {
      return listing.lines.at(a).costs[i] > listing.lines.at(b).costs[i];
    });
    for (std::size_t place = 0; place < sorted.size(); ++place) places[sorted[place]][i] = place;
  }
  return places;
}

std::string found_text(const device::Finding& finding) {
  const auto other = finding.other_line > 0 && finding.other_line != finding.line
                         ? tr(" with line {}", finding.other_line)
                         : "";
  return fmt::format("<span class=\"found{}\">{}{}: {}</span>",
                     device::is_note(finding.kind) ? " note" : "", kind_word(finding.kind), other,
                     escaped(ended(in_words(finding.message)) + called_from(finding)));
}

std::string cell(const Listing& listing, const Line* line, std::size_t column) {
  const auto value = line ? line->costs[column] : 0;
  const char* name = kCountColumns[column].name;
  if (value == 0) return fmt::format("<span class=\"{}\"></span>", name);
  return fmt::format("<span class=\"{} hot\" style=\"--h:{:.2f}\" title=\"{}\">{}</span>", name,
                     static_cast<double>(value) / static_cast<double>(listing.most[column]),
                     thousands(value) + " " +
                         language::translated("a column", kCountColumns[column].title),
                     compact(value));
}

std::string heading(const Listing&, std::size_t file) {
  std::string text = fmt::format("<div class=\"row head\"><label class=\"l\"><input type=\"radio\" "
                                 "name=\"sort{}\" value=\"l\" checked>{}</label>",
                                 file, trc("a column", "line"));
  for (const auto& column : kCountColumns)
    text +=
        fmt::format("<label class=\"{}\"><input type=\"radio\" name=\"sort{}\" "
                    "value=\"{}\">{}</label>",
                    column.name, file, column.name, language::translated("a column", column.title));
  return text + "<span>" + trc("a column", "source") + "</span></div>\n";
}

// Those that are shown, in order.
std::vector<std::uint32_t> shown_lines(const Listing& listing, std::size_t in_file) {
  std::vector<std::uint32_t> shown;
  if (in_file > 0 && in_file <= kLongFile) {
    shown.resize(in_file);
    std::iota(shown.begin(), shown.end(), 1u);
    return shown;
  }
  const std::uint32_t near = in_file > 0 ? kNear : 0;
  for (const auto& [number, line] : listing.lines) {
    if (in_file > 0 && number > in_file) continue;
    const auto last = in_file > 0 ? std::min<std::size_t>(number + near, in_file) : number;
    auto first = number > near ? number - near : 1;
    if (!shown.empty()) first = std::max(first, shown.back() + 1);
    for (auto at = first; at <= last; ++at) shown.push_back(at);
  }
  return shown;
}

std::string rows(const Listing& listing) {
  const auto source = lines_of(printable(listing.file->source));
  const auto places = places_of(listing);
  std::string text;
  std::uint32_t before = 0;
  for (const auto number : shown_lines(listing, source.size())) {
    if (number > before + 1 && before > 0)
      text +=
          "<div class=\"row quiet gap\"><span class=\"l\"></span><span class=\"i\"></span><span "
          "class=\"r\"></span><span class=\"w\"></span><span class=\"c\"></span><span "
          "class=\"s\"></span><code>...</code></div>\n";
    before = number;
    const auto found = listing.lines.find(number);
    const Line* line = found == listing.lines.end() ? nullptr : &found->second;
    std::string place;
    if (line)
      for (std::size_t i = 0; i < kCounts; ++i)
        place += fmt::format("--{}:{};", kCountColumns[i].name, places.at(number)[i]);
    text += line && !line->is_quiet() ? fmt::format("<div class=\"row\" style=\"{}\">", place)
                                      : "<div class=\"row quiet\">";
    text += fmt::format("<span class=\"l\">{}</span>", number);
    for (std::size_t i = 0; i < kCounts; ++i) text += cell(listing, line, i);
    text += "<code>" + (number <= source.size() ? escaped(source[number - 1]) : "");
    if (line)
      for (const auto* finding : line->findings) text += found_text(*finding);
    text += "</code></div>\n";
  }
  return text;
}

std::string sorting_style() {
  std::string text;
  for (const auto& column : kCountColumns)
    text += fmt::format(".rows:has(input[value={0}]:checked) > .row:not(.head) {{ order: "
                        "var(--{0}); }}\n.rows:has(input[value={0}]:checked) > .quiet {{ display: "
                        "none; }}\n",
                        column.name);
  return text;
}

std::string section(const Listing& listing, std::size_t number) {
  const auto name = std::filesystem::path(listing.file->path).filename().string();
  return fmt::format(
      "<h2 title=\"{}\">{}</h2>\n{}<div class=\"listing\" tabindex=\"0\">\n<div "
      "class=\"rows\">\n{}{}</div>\n</div>\n",
      escaped(listing.file->path), escaped(name),
      listing.file->source.empty()
          ? fmt::format("<p class=\"yellow\">{}</p>\n", tr("Its text could not be read here."))
          : "",
      heading(listing, number), rows(listing));
}

} // namespace

std::string source_page(const SourcePage& page) {
  std::vector<Listing> listings;
  for (const auto& file : page.files)
    if (auto listing = listing_of(page, file); !listing.lines.empty())
      listings.push_back(std::move(listing));
  std::ranges::stable_sort(listings, std::greater(), &Listing::heat);
  std::string text = page_start(page.title) + kPageStyle + sorting_style() + kNarrowStyle + "<h1>" +
                     escaped(page.title) + "</h1>\n";
  for (const auto& line : page.summary) text += "<p>" + escaped(line) + "</p>\n";
  if (listings.empty())
    text +=
        "<p class=\"yellow\">" +
        tr("No line of a source has a count. nvcc -lineinfo puts line numbers into a program.") +
        "</p>\n";
  for (std::size_t i = 0; i < listings.size(); ++i) text += section(listings[i], i);
  return text + "<footer>" +
         tr("Counted on the emulated H200, over all launches, a warp at a time. Times are not "
            "measured. A heading sorts by its column.") +
         "</footer>\n</main>\n</body>\n</html>\n";
}

} // namespace course::report

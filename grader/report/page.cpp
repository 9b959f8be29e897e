#include "report/page.hpp"

#include "language/translate.hpp"
#include "report/markup.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace course::report {
namespace {

// The inks have a contrast of at least 4.5 to 1 on their grounds (WCAG 2.2, 1.4.3).
constexpr const char* kStyle = R"(
:root { color-scheme: light dark;
  --ground: #ffffff; --card: #f6f7f9; --line: #d5d9e0; --text: #1b1f27; --faint: #596273;
  --red: #b3261e; --green: #17692f; --yellow: #7a5600; --bar: #4a72c4; --link: #1a56b8; }
@media (prefers-color-scheme: dark) { :root {
  --ground: #14171c; --card: #1d2128; --line: #363c47; --text: #e4e7ec; --faint: #9aa4b5;
  --red: #ff8b81; --green: #6fd08b; --yellow: #e6b84d; --bar: #6f97e8; --link: #8fb4ff; } }
* { box-sizing: border-box; } [hidden] { display: none !important; }
body { margin: 0; background: var(--ground); color: var(--text);
  font: 16px/1.5 system-ui, -apple-system, "Segoe UI", "DejaVu Sans", sans-serif; }
main { max-width: 60rem; margin: 0 auto; padding: 1.5rem 1rem 3rem; }
h1 { font-size: 1.6rem; line-height: 1.25; margin: 0 0 .25rem; overflow-wrap: anywhere; }
h2 { font-size: 1.15rem; margin: 2.2rem 0 .6rem; overflow-wrap: anywhere; }
h3 { font-size: 1.02rem; margin: 0; overflow-wrap: anywhere; }
p { margin: .4rem 0; } a { color: var(--link); }
.faint { color: var(--faint); } .bold { font-weight: 700; }
.red { color: var(--red); font-weight: 600; } .green { color: var(--green); }
.yellow { color: var(--yellow); }
table { border-collapse: collapse; width: 100%; font-size: .94rem; }
th, td { text-align: left; padding: .38rem .6rem .38rem 0; border-bottom: 1px solid var(--line);
  vertical-align: top; overflow-wrap: anywhere; }
th { color: var(--faint); font-weight: 600; }
/* What may break anywhere would give way to the other columns down to a letter. */
th:first-child, td:first-child { min-width: 7rem; }
td.n + td:not(.n), th.n + th:not(.n) { padding-left: 1.2rem; }
td.n, th.n { text-align: right; white-space: nowrap; font-variant-numeric: tabular-nums; }
.score { font-size: 1.25rem; margin: .2rem 0 0; }
.card { border: 1px solid var(--line); border-radius: .6rem; margin: 1rem 0; overflow: hidden; }
.card > header { display: flex; flex-wrap: wrap; gap: .2rem 1rem; align-items: baseline;
  padding: .7rem 1rem; }
.card > header .points { margin-left: auto; font-variant-numeric: tabular-nums; }
.card > p { padding: 0 1rem .8rem; margin: 0; }
pre { margin: 0; padding: .9rem 1rem; background: var(--card); border-top: 1px solid var(--line);
  overflow-x: auto; font: 13px/1.45 ui-monospace, "SFMono-Regular", "DejaVu Sans Mono", monospace; }
pre i { display: inline-block; width: 2ch; font-style: normal; text-align: center; }
pre.narrow { display: none; }
@media (max-width: 48rem) { pre.wide { display: none; } pre.narrow { display: block;
  font-size: 12px; padding: .8rem .6rem; }
  .students tr { display: grid; grid-template-columns: 1fr auto auto; column-gap: .8rem; }
  .students th, .students td { border: 0; padding-left: 0; } .students tr { border-bottom: 1px solid var(--line); }
  .students tr .look { grid-column: 1 / -1; padding-left: 0 !important; }
  .students td:empty { display: none; } }
.scroll { overflow-x: auto; }
th button { font: inherit; color: inherit; background: none; border: 0; padding: 0; cursor: pointer; }
th[aria-sort] button::after { content: " \2191"; } th[aria-sort="descending"] button::after { content: " \2193"; }
::placeholder { color: var(--faint); opacity: 1; }
input[type=search] { font: inherit; color: inherit; background: var(--card); width: 100%;
  max-width: 20rem; border: 1px solid var(--faint); border-radius: .3rem; padding: .3rem .6rem; }
tr[hidden] { display: none !important; }
.beside { display: grid; grid-template-columns: repeat(auto-fit, minmax(20rem, 1fr)); gap: 1rem; }
.beside section { min-width: 0; } mark { background: #f4dd8a; color: #1b1f27; }
.bars { display: grid; grid-template-columns: auto 1fr auto; gap: .3rem .7rem; align-items: center;
  font-variant-numeric: tabular-nums; font-size: .94rem; }
.bars span:nth-child(3n+1) { text-align: right; }
.bar { background: var(--card); border-radius: .2rem; height: 1.05rem; overflow: hidden; }
.bar i { display: block; height: 100%; background: var(--bar); }
footer { color: var(--faint); font-size: .88rem; margin-top: 2.5rem; }
@media print { pre { overflow: visible; white-space: pre-wrap; } .card { break-inside: avoid; } }
)";

} // namespace

std::string page_start(const std::string& title, const std::string& script) {
  auto language = language::english() ? "en" : language::spoken();
  std::ranges::replace(language, '_', '-');
  return "<!doctype html>\n<html lang=\"" + language +
         "\">\n<head>\n<meta charset=\"utf-8\">\n"
         "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
         "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src "
         "'unsafe-inline'" +
         (script.empty() ? "" : "; script-src 'sha256-" + script + "'") + "\">\n<title>" +
         escaped(title) + "</title>\n<style>" + kStyle + "</style>\n</head>\n<body>\n<main>\n";
}

std::string page_end(const PageTitle& title) {
  auto words = tr("Graded with {}.", title.made_with);
  if (!title.remark.empty()) words = trc("two sentences", "{} {}", words, title.remark);
  return "<footer>" + escaped(words) + "</footer>\n</main>\n</body>\n</html>\n";
}

std::string section(const std::string& title) {
  return "<h2>" + escaped(title) + "</h2>\n";
}

std::string heading(const std::string& title) {
  return "<th>" + escaped(title) + "</th>";
}

std::string heading_of_numbers(const std::string& title) {
  return "<th class=\"n\">" + escaped(title) + "</th>";
}

std::string paragraph(const std::string& text) {
  return "<p>" + escaped(text) + "</p>\n";
}

std::string paragraph(const char* style, const std::string& text) {
  return text.empty() ? "" : fmt::format("<p class=\"{}\">{}</p>\n", style, escaped(text));
}

const char* tone(const GradedExercise& exercise) {
  return exercise.passed() ? "green" : exercise.counts() ? "red" : "yellow";
}

std::string badge(const GradedExercise& exercise) {
  return fmt::format("<span class=\"{}\">{}</span>", tone(exercise), escaped(outcome(exercise)));
}

std::string breakable(const std::string& id) {
  const auto slash = id.find('/');
  if (slash == id.npos) return escaped(id);
  return fmt::format("{}/<wbr>{}", escaped(id.substr(0, slash)), escaped(id.substr(slash + 1)));
}

std::string number(double value) {
  auto text = fmt::format("{:.2f}", value);
  text.erase(text.find_last_not_of('0') + 1);
  if (text.back() == '.') text.pop_back();
  return text;
}

} // namespace course::report

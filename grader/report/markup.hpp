// Reports and foreign text in other formats than a terminal's: nothing in them is taken for markup.
#pragma once

#include <string>
#include <string_view>

namespace course::report {

// Printable (text.hpp), with & < > " ' as entities: for content and for quoted attributes.
std::string escaped(std::string_view text);

// A report in the colours of text.hpp as HTML, to stand inside <pre>: each ink is a <span> with the
// class bold, faint, red, green or yellow. Only the escapes that `inked` writes become spans; every
// other one is made visible, as in a terminal report. A character that takes two columns is in <i>,
// which page.hpp's style makes that wide: fonts do not agree about it.
std::string coloured_html(std::string_view report);

// The same without inks, for formats that have none.
std::string without_colour(std::string_view report);

} // namespace course::report

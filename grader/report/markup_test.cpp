#include "report/markup.hpp"

#include <doctest/doctest.h>

namespace course::report {

TEST_CASE("foreign text cannot become markup, nor end an attribute") {
  CHECK(escaped("<a href=\"x\" b='y'>&amp;") ==
        "&lt;a href=&quot;x&quot; b=&#39;y&#39;&gt;&amp;amp;");
  CHECK(escaped("a\033[2Jb\x01\xff") == "a?[2Jb??");
}

TEST_CASE("inks become spans that are always closed") {
  CHECK(coloured_html("a \033[32mpassed\033[0m <b>") ==
        "a <span class=\"green\">passed</span> &lt;b&gt;");
  CHECK(coloured_html("\033[1;31mone\033[32mtwo") ==
        "<span class=\"red\">one</span><span class=\"green\">two</span>");
}

TEST_CASE("characters of two columns are marked, so that a page can make them that wide") {
  CHECK(coloured_html("\033[32m通过\033[0m a é<") ==
        "<span class=\"green\"><i>通</i><i>过</i></span> a é&lt;");
}

TEST_CASE("an escape that no ink makes stays visible and steers nothing") {
  CHECK(coloured_html("a\033[2Jb\033") == "a?[2Jb?");
  CHECK(without_colour("a\033[2Jb\033") == "a?[2Jb?");
}

TEST_CASE("without colour a report is its words") {
  CHECK(without_colour("a \033[32mpassed\033[0m\n") == "a passed\n");
  CHECK(without_colour("") == "");
}

} // namespace course::report

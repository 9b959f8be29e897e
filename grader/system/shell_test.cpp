#include "system/shell.hpp"

#include <doctest/doctest.h>

namespace course::system {

TEST_CASE("any word comes through sh as it is") {
  for (const std::string word :
       {"", "plain", "it's", "'''", "$HOME `date` \\n \"x\"; exit 3", "a\nb"})
    CHECK(run_in_shell("printf %s " + in_quotes(word)).text == word);
}

TEST_CASE("what a command prints is kept, and how it ended") {
  const auto ran = run_in_shell("seq 20000; exit 3");
  CHECK(ran.code == 3);
  CHECK(ran.text.size() == 108'894);
  CHECK(ran.text.ends_with("\n20000\n"));
  CHECK(run_in_shell("true").code == 0);
  CHECK(run_in_shell("/no/such/program 2>&1").code == 127);
  CHECK(run_in_shell("kill -TERM $$").code == 128 + 15);
}

} // namespace course::system

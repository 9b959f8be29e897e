#include "report/words/not_on_gpu_words.hpp"

#include "judge/facts.hpp"
#include "report/words/note_words.hpp"

#include <doctest/doctest.h>

namespace course::report {
namespace {

using judge::NotOnGpu;

NotOnGpu copy_on_t4() {
  NotOnGpu found;
  found.why = NotOnGpu::Why::instruction;
  found.gpu = "Tesla T4";
  found.has = 75;
  found.needs = 80;
  found.instruction = "cp.async.cg.shared.global";
  found.line = 12;
  return found;
}

} // namespace

TEST_CASE("what a GPU lacks is said with its name and both numbers") {
  CHECK(not_on_gpu_words(copy_on_t4()) ==
        "cp.async.cg.shared.global on line 12 needs compute capability 8.0, and the Tesla T4 has "
        "7.5");
  auto found = copy_on_t4();
  found.line = 0;
  found.gpu = "NVIDIA B200";
  found.instruction = "wgmma.fence.sync.aligned";
  found.alone = true;
  found.needs = 90;
  found.has = 100;
  CHECK(not_on_gpu_words(found) ==
        "wgmma.fence.sync.aligned is of compute capability 9.0 alone, and the NVIDIA B200 has "
        "10.0");
  found.why = NotOnGpu::Why::shared_memory;
  found.asks = 98'304;
  found.there = 65'536;
  CHECK(not_on_gpu_words(found) ==
        "a block asks for 98,304 bytes of shared memory, and the NVIDIA B200 gives it 65,536 at "
        "most");
}

TEST_CASE("a note says what was graded where, and whose time is missing") {
  auto found = copy_on_t4();
  CHECK(words(judge::Note(found)).starts_with("everything but time is graded: cp."));
  found.solution = true;
  CHECK(
      words(judge::Note(found))
          .starts_with("the course's solution cannot be timed on this GPU, so nobody's work is: "));
}

} // namespace course::report

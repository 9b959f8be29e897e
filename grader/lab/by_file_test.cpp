#include "lab/by_file.hpp"

#include "lab/hand_made_tools.hpp"
#include "lab/inputs.hpp"
#include "lab/labs.hpp"
#include "lab/named.hpp"
#include "report/words/ended_words.hpp"

#include <doctest/doctest.h>

#include <csignal>

namespace course::lab {
namespace {

// 2_pad, with a reference in a file; what computes it is staged.
struct Staged {
  hand_made::Stage stage;
  Exercise exercise = named(exercises(COURSE_SOURCE_DIR), "2_pad");
  Case known = exercise.cases[1]; // 64 x 96
  runtime::Recording recording;   // how each call ends
  std::uint64_t left_out = 0;     // elements at the end that it does not write
  Flavour flavour = Flavour::random;
  int calls = 0;

  Staged() {
    exercise.reference_file = "labs/05_transpose/2_pad.reference.cpp";
    for (auto& one : exercise.cases) one.reference = nullptr;
  }
  runtime::HostCall turned(const runtime::Call& call, const std::vector<device::Buffer>& memory) {
    ++calls;
    runtime::HostCall done{recording, {}};
    if (recording.end != runtime::Recording::End::returned) return done;
    CHECK(call.arguments[0].bits == memory[0].address);
    for (const auto& buffer : memory) done.memory.push_back(buffer.bytes);
    const auto rows = call.arguments[2].bits, cols = call.arguments[3].bits;
    for (std::uint64_t i = 0; i < rows * cols; ++i) {
      const auto to = i % cols * rows + i / cols;
      if (to + left_out < rows * cols)
        std::memcpy(done.memory[0].data() + 4 * to, memory[1].bytes.data() + 4 * i, 4);
    }
    return done;
  }
  Tools tools() {
    auto tools = stage.tools();
    tools.compute = [this](const build::Compiled&, const runtime::Call& call,
                           const std::vector<device::Buffer>& memory) {
      return turned(call, memory);
    };
    return tools;
  }
  Floats answer(const std::vector<Floats>& inputs) {
    const auto tools_used = tools();
    auto one = exercise.cases[1];
    reference_in_file(exercise, tools_used)(one);
    return one.reference(inputs);
  }
  std::vector<Floats> inputs() const { return known.inputs(flavour, 3); }
  std::string failure() {
    try {
      answer(inputs());
    } catch (const ReferenceFailed& failed) {
      return report::ended_words(failed.how).headline;
    }
    return "";
  }
};

} // namespace

TEST_CASE("with a reference in a file, the right answer is what it computes") {
  Staged staged;
  CHECK(staged.answer(staged.inputs()) == staged.known.reference(staged.inputs()));
  CHECK(staged.calls == 1);
  const auto verdict = grade(staged.exercise, {staged.stage.file, 1}, staged.tools());
  CHECK(verdict.ending == judge::Ending::passed);
}

TEST_CASE("an answer that is what was there before is an answer") {
  Staged staged;
  auto inputs = staged.inputs();
  for (auto& value : inputs[1]) value = std::bit_cast<float>(judge::kPoison);
  const auto answer = staged.answer(inputs);
  CHECK(std::bit_cast<std::uint32_t>(answer.back()) == judge::kPoison);
  CHECK(staged.calls == 2);
}

TEST_CASE("elements that it leaves as they were are a fault of the reference, and named") {
  Staged staged;
  staged.left_out = 2;
  CHECK(staged.failure() ==
        "The reference 2_pad.reference.cpp of this exercise gives no answer. For a 64 x 96 matrix, "
        "transpose() leaves 2 elements of `out` as they were, the first at 6,142.");
}

TEST_CASE("a reference that does not come back fails by its own limits, and no student does") {
  Staged staged;
  staged.recording.end = runtime::Recording::End::cpu_time;
  auto tools = staged.tools();
  tools.reference_limits.cpu = std::chrono::seconds(30);
  const auto verdict = grade(staged.exercise, {staged.stage.file, 1}, tools);
  CHECK(verdict.ending == judge::Ending::set_up);
  CHECK(verdict.points == 0);
  REQUIRE(verdict.ended);
  CHECK(report::ended_words(verdict).headline ==
        "The reference 2_pad.reference.cpp of this exercise gives no answer. transpose() had not "
        "returned after 30 s for a 32 x 32 matrix.");
  staged.recording.end = runtime::Recording::End::crashed;
  staged.recording.signal = SIGSEGV;
  CHECK(staged.failure().find("transpose() crashed for a 64 x 96 matrix") != std::string::npos);
}

TEST_CASE("a reference that does not compile, or is another function, ends the grading") {
  Staged staged;
  staged.stage.functions = {"turn(float*, float const*)"};
  auto verdict = grade(staged.exercise, {staged.stage.file, 1}, staged.tools());
  CHECK(verdict.ending == judge::Ending::set_up);
  CHECK(report::ended_words(verdict).headline.find(
            "2_pad.reference.cpp compiles, but does not define void transpose(") !=
        std::string::npos);
  staged.stage.rejected = build::Rejected{build::Rejected::Reason::diagnostics, "no"};
  verdict = grade(staged.exercise, {staged.stage.file, 1}, staged.tools());
  CHECK(verdict.ending == judge::Ending::set_up);
  CHECK(verdict.compiler == "no");
  CHECK(report::ended_words(verdict).headline ==
        "The reference 2_pad.reference.cpp of this exercise gives no answer. 2_pad.reference.cpp "
        "does not compile.");
  CHECK(staged.calls == 0);
}

TEST_CASE("where there is no such file, nothing is compiled for it") {
  Staged staged;
  staged.exercise.reference_file.clear();
  reference_in_file(staged.exercise, staged.tools())(staged.exercise.cases[0]);
  CHECK(staged.stage.compilations == 0);
}

} // namespace course::lab

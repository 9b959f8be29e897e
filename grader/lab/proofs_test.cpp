#include "lab/proofs.hpp"

#include "lab/hand_made_tools.hpp"
#include "lab/labs.hpp"

#include <doctest/doctest.h>

#include <unistd.h>

namespace course::lab {
namespace {

// A course of one exercise in a folder of its own: files as short as they can be.
struct Course {
  std::filesystem::path root;
  const Exercise& exercise = *find(exercises(COURSE_SOURCE_DIR), "2_pad").exercise;
  hand_made::Stage stage;

  Course() {
    root = std::filesystem::temp_directory_path() / ("course_" + std::to_string(::getpid()));
    write("labs/05_transpose/2_pad.cu", head() + "//! [work]\n// TODO\n//! [work]\n");
    write("solutions/05_transpose/2_pad.cu", head() + "//! [work]\nsolved\n//! [work]\n");
    for (const char* name : {"a", "b", "c"})
      write(std::string("solutions/05_transpose/wrong/2_pad_") + name + ".cu",
            "// wrong: conflicts: reason\n");
    write("solutions/05_transpose/wrong/1_tile_x.cu", "// wrong: output: another exercise's\n");
  }
  ~Course() { std::filesystem::remove_all(root); }

  std::string head() const { return "// " + exercise.id + ": " + exercise.title + "\n"; }

  void write(const std::filesystem::path& file, const std::string& text) {
    std::filesystem::create_directories((root / file).parent_path());
    std::ofstream(root / file) << text;
  }

  // Proofs that do not hold. A staged kernel has no conflicts when its text says that it is solved.
  std::vector<Proof> broken() {
    auto tools = stage.tools();
    const auto compile = tools.compile;
    tools.compile = [this, compile](const std::filesystem::path& source) {
      std::ifstream stream(source);
      const std::string text{std::istreambuf_iterator<char>(stream), {}};
      stage.ways = text.find("solved") == text.npos ? 32 : 1;
      return compile(source);
    };
    std::vector<Proof> proofs;
    const bool all = check(exercise, root, 1, tools, [&](const Proof& proof) {
      if (!proof.holds) proofs.push_back(proof);
    });
    CHECK(all == proofs.empty());
    return proofs;
  }
};

// What a proof claims, which has to be that, and what it found.
template <class Claim>
const Claim& claim(const Proof& proof) {
  const auto* found = std::get_if<Claim>(&proof.claim);
  REQUIRE(found);
  return *found;
}

using Names = std::vector<std::string>;

} // namespace

TEST_CASE("an exercise that is as it should be is proved") {
  CHECK(Course().broken().empty());
}

TEST_CASE("the shapes of many seeds are proved, and a limit that one of them breaks is found") {
  Course course;
  std::vector<Proof> proofs;
  const auto note = [&](const Proof& proof) { proofs.push_back(proof); };
  const auto tools = course.stage.tools();
  CHECK(check_seeds(course.exercise, course.root, 1, 10, tools, note));
  REQUIRE(proofs.size() == 1);
  CHECK(claim<Proof::PassesSeeds>(proofs[0]).shapes == 20); // two are drawn from a seed
  course.stage.ways = 2;
  CHECK_FALSE(check_seeds(course.exercise, course.root, 1, 10, tools, note));
  const auto& broken = claim<Proof::PassesSeeds>(proofs[1]).broken;
  REQUIRE_FALSE(broken.empty());
  CHECK(broken[0].found.fails({"conflicts"}));
  CHECK_FALSE(broken[0].shape.empty());
}

TEST_CASE("a skeleton that passes is found out") {
  Course course;
  course.write("labs/05_transpose/2_pad.cu",
               course.head() + "//! [work]\n// TODO solved\n//! [work]\n");
  const auto broken = course.broken();
  REQUIRE(broken.size() == 1);
  CHECK(broken[0].file == "labs/05_transpose/2_pad.cu");
  CHECK(claim<Proof::FailsFirst>(broken[0]).check == "conflicts");
  CHECK(claim<Proof::FailsFirst>(broken[0]).found.passes());
}

TEST_CASE("a solution that fails is found out") {
  Course course;
  course.write("solutions/05_transpose/2_pad.cu",
               course.head() + "//! [work]\nnothing\n//! [work]\n");
  const auto broken = course.broken();
  REQUIRE(broken.size() == 1);
  CHECK(claim<Proof::Passes>(broken[0]).found.fails({"conflicts"}));
}

TEST_CASE("a wrong variant that fails for another reason, or passes, or says none, is found out") {
  Course course;
  course.write("solutions/05_transpose/wrong/2_pad_a.cu", "// wrong: output: reason\n");
  course.write("solutions/05_transpose/wrong/2_pad_b.cu", "// wrong: conflicts: solved\n");
  course.write("solutions/05_transpose/wrong/2_pad_c.cu", "// what is this?\n");
  course.write("solutions/05_transpose/wrong/2_pad_d.cu", "// wrong: output, conflicts: both\n");
  const auto broken = course.broken();
  REQUIRE(broken.size() == 4);
  CHECK(claim<Proof::Fails>(broken[0]).checks == Names{"output"});
  CHECK(claim<Proof::Fails>(broken[0]).found.fails({"conflicts"}));
  CHECK(claim<Proof::Fails>(broken[1]).found.passes());
  CHECK(claim<Proof::Fails>(broken[2]).checks.empty());
  CHECK(claim<Proof::Fails>(broken[3]).checks == Names{"output", "conflicts"});
}

TEST_CASE("a wrong variant that is kept as edits is proved, or found out by its name") {
  Course course;
  for (const char* name : {"a", "b"})
    std::filesystem::remove(course.root / "solutions/05_transpose/wrong" /
                            ("2_pad_" + std::string(name) + ".cu"));
  const auto edits = [&](const std::string& text) {
    course.write("solutions/05_transpose/wrong/2_pad.diff",
                 "=== unsolved\n// wrong: conflicts: no padding\n-solved\n+untouched\n\n" + text);
    return course.broken();
  };
  CHECK(edits("=== none\n// wrong: conflicts: nothing\n-solved\n").empty());
  const auto passes = edits("=== solves\n// wrong: conflicts: padded\n-solved\n+solved here\n");
  REQUIRE(passes.size() == 1);
  CHECK(passes[0].file == "solutions/05_transpose/wrong/2_pad_solves.cu");
  CHECK(claim<Proof::Fails>(passes[0]).found.passes());
  const auto stale = edits("=== stale\n// wrong: conflicts: why\n-as it was\n");
  REQUIRE(stale.size() == 1);
  CHECK(stale[0].file == "solutions/05_transpose/wrong/2_pad_stale.cu");
  CHECK(claim<Proof::Applies>(stale[0]).edits == "2_pad.diff");
  CHECK(claim<Proof::Applies>(stale[0]).fault == EditFault{EditFault::What::not_there, 8});
  CHECK_FALSE(stale[0].graded);
}

TEST_CASE("an honest way passes and says which it is, or is found out") {
  Course course;
  course.write("solutions/05_transpose/honest/2_pad_a.cu", "// honest: solved by a swizzle\n");
  CHECK(course.broken().empty());
  course.write("solutions/05_transpose/honest/2_pad_b.cu", "// honest: not at all\n");
  course.write("solutions/05_transpose/honest/2_pad_c.cu", "// solved\n");
  course.write("solutions/05_transpose/honest/1_tile_x.cu", "// honest: another exercise's\n");
  const auto broken = course.broken();
  REQUIRE(broken.size() == 2);
  CHECK(claim<Proof::Passes>(broken[0]).found.fails({"conflicts"}));
  CHECK(broken[0].graded);
  claim<Proof::SaysItsWay>(broken[1]);
}

TEST_CASE("a file that belongs to no exercise is a stray") {
  Course course;
  const auto& all = exercises(COURSE_SOURCE_DIR);
  CHECK(strays(all, "05_transpose", course.root).empty());
  course.write("labs/05_transpose/9_new.cu", "");
  course.write("solutions/05_transpose/9_new.cu", "");
  course.write("labs/05_transpose/2_pad.reference.cpp", "");
  course.write("solutions/05_transpose/wrong/pad_x.cu", "");
  course.write("solutions/05_transpose/wrong/pad.diff", "");
  course.write("solutions/05_transpose/wrong/2_pad.diff", "");
  course.write("solutions/05_transpose/honest/2_padded.cu", "");
  course.write("solutions/05_transpose/honest/README.md", "");
  const auto found = strays(all, "05_transpose", course.root);
  REQUIRE(found.size() == 6);
  CHECK(found[0].file == "labs/05_transpose/9_new.cu");
  CHECK(claim<Proof::Belongs>(found[0]).as == Proof::Belongs::As::skeleton);
  CHECK(found[1].file == "solutions/05_transpose/9_new.cu");
  CHECK(found[2].file == "solutions/05_transpose/wrong/pad_x.cu");
  CHECK(found[3].file == "solutions/05_transpose/honest/2_padded.cu");
  CHECK(found[4].file == "solutions/05_transpose/wrong/pad.diff");
  CHECK(found[5].file == "labs/05_transpose/2_pad.reference.cpp"); // which has a kind of answer
  CHECK_FALSE(found[3].holds);
}

TEST_CASE("this course has no strays") {
  const auto& all = exercises(COURSE_SOURCE_DIR);
  for (const auto& exercise : all)
    for (const auto& stray : strays(all, exercise.lab(), COURSE_SOURCE_DIR)) FAIL_CHECK(stray.file);
}

TEST_CASE("too few wrong variants are found out") {
  Course course;
  std::filesystem::remove(course.root / "solutions/05_transpose/wrong/2_pad_a.cu");
  const auto broken = course.broken();
  REQUIRE(broken.size() == 1);
  CHECK(claim<Proof::EnoughWrong>(broken[0]).found == 2);
}

TEST_CASE("a pair that drifted apart is found out") {
  Course course;
  course.write("solutions/05_transpose/2_pad.cu",
               course.head() + "//! [work]\nsolved\n//! [work]\nmore\n");
  const auto broken = course.broken();
  REQUIRE(broken.size() == 1);
  CHECK(claim<Proof::OnlyWorkDiffers>(broken[0]).wrong ==
        std::vector<Complaint>{{Complaint::What::differs_outside, {}, "", "", 1}});
}

TEST_CASE("a missing file is found out, not stumbled over") {
  Course course;
  std::filesystem::remove(course.root / "solutions/05_transpose/2_pad.cu");
  CHECK(course.broken().size() >= 2);
}

} // namespace course::lab

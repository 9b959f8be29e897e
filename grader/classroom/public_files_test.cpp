#include "classroom/public_files.hpp"

#include "classroom/alike.hpp"
#include "classroom/hand_made_folder.hpp"
#include "lab/labs.hpp"
#include "lab/proofs.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <regex>

namespace course::classroom {
namespace {

const hand_made::fs::path kRoot = COURSE_SOURCE_DIR;

std::string text_at(const hand_made::fs::path& file) {
  return system::content_of(file).value_or("");
}

// A copy as students make them: other names, other spaces, no comments of the original.
std::string disguised(std::string text) {
  // A pass each is most of this test's time.
  static const std::regex comment("//[^\n]*"),
      names("\\b(tile|rows?|cols|in|out|sum|lane|part|tid)\\b"), spaces("  +"), end(";\n");
  text = std::regex_replace(text, comment, "");
  text = std::regex_replace(text, names, "my_$1");
  text = std::regex_replace(text, spaces, "\t");
  return "// all my own work\n" + std::regex_replace(text, end, "; // done\n\n");
}

// With something of one's own behind each function.
std::string padded_out(const std::string& text) {
  const std::string own =
      "\n}\nstatic int mine(int a) { int b = a; while (b > 3) b -= 2; return b; }\n";
  return std::regex_replace(text, std::regex("\n\\}\n"), own);
}

// What stands at the top of the file in the opposite order.
std::string reordered(const std::string& text) {
  const std::string kEnd = "\n}\n";
  std::string turned;
  std::size_t from = 0;
  for (auto at = text.find(kEnd); at != text.npos; at = text.find(kEnd, from)) {
    turned = text.substr(from, at + kEnd.size() - from) + turned;
    from = at + kEnd.size();
  }
  return text.substr(from) + turned;
}

std::vector<std::string> controls_of(const std::vector<PublicFile>& files, const std::string& id) {
  std::vector<std::string> texts;
  for (const auto& file : files)
    if (file.exercise == id && file.name.find("/honest/") != file.name.npos)
      texts.push_back(file.text);
  return texts;
}

} // namespace

TEST_CASE("solutions, wrong variants and honest ways are known by their names") {
  const auto files = public_files_of_course(kRoot, lab::exercises(kRoot));
  const auto has = [&](const std::string& exercise, const std::string& name) {
    return std::any_of(files.begin(), files.end(), [&](const PublicFile& file) {
      return file.exercise == exercise && file.name == name && !file.text.empty();
    });
  };
  CHECK(has("05_transpose/2_pad", "the course's solution"));
  CHECK(has("05_transpose/2_pad", "solutions/05_transpose/wrong/2_pad_shuffles.cu"));
  CHECK(has("05_transpose/2_pad", "solutions/05_transpose/wrong/2_pad_two_words.cu"));
  CHECK(has("02_padding/1_square", "solutions/02_padding/honest/1_square_dynamic.cu"));
  CHECK(public_files_of_course("/not/there", lab::exercises(kRoot)).empty());
}

TEST_CASE("files of a folder are known by their names or first lines") {
  const hand_made::Folder folder;
  folder.write("last_year/ab12.cu", "// 05_transpose/2_pad: t\nint x;\n");
  folder.write("last_year/05_transpose/1_tile.cu", "int y;\n");
  folder.write("last_year/other.cu", "int z;\n");
  folder.write("last_year/archive/05_transpose/2_pad/cd34.cu", "int w;\n"); // as a class keeps it
  const auto [files, unknown] =
      public_files_below(folder.path / "last_year", hand_made::exercises());
  REQUIRE(files.size() == 3);
  CHECK(files[0].exercise == "05_transpose/1_tile");
  CHECK(files[1].name == "last_year/ab12.cu");
  CHECK(files[2].exercise == "05_transpose/2_pad");
  CHECK(unknown == 1);
}

// Of exercises with enough to compare, each solution in disguise has to be found.
TEST_CASE("copies of the course's solutions are found in disguise") {
  int compared = 0, found = 0, padded = 0, turned = 0, with_control = 0, merged = 0;
  const auto files = public_files_of_course(kRoot, lab::exercises(kRoot));
  for (const auto& exercise : lab::exercises(kRoot)) {
    const auto solution = text_at(kRoot / lab::solution_of(exercise));
    const auto skeleton = fingerprints(text_at(kRoot / lab::skeleton_of(exercise)));
    Alike probe(skeleton);
    probe.add("one", fingerprints(solution));
    probe.add("other", fingerprints(solution));
    if (probe.find("x").empty()) continue; // little beside the skeleton
    ++compared;
    const auto is_found = [&](const std::string& copy) {
      Alike alike(skeleton);
      alike.add_public("the course's solution", fingerprints(solution));
      alike.add("anna", fingerprints(copy));
      return !alike.find(exercise.id).empty();
    };
    found += is_found(disguised(solution));
    padded += is_found(padded_out(disguised(solution)));
    turned += is_found(reordered(disguised(solution)));
    // And of two sources: the solution, and another way to it.
    const auto controls = controls_of(files, exercise.id);
    with_control += !controls.empty();
    if (!controls.empty()) merged += is_found(disguised(controls.front() + reordered(solution)));
  }
  MESSAGE(compared << " exercises compared; " << found << " disguised copies found, " << padded
                   << " with more of their own, " << turned << " in another order, " << merged
                   << " of " << with_control << " merged with a control");
  CHECK(compared >= 10);
  CHECK(found == compared);
  CHECK(padded * 10 >= compared * 9);
  CHECK(turned * 10 >= compared * 9);
  CHECK(merged * 10 >= with_control * 9);
}

// Controls are other ways to the same answer: how many are taken for copies of the solution.
TEST_CASE("other ways to the same answer are mostly no copies") {
  int pairs = 0, alarms = 0, among = 0, alarms_among = 0;
  const auto& exercises = lab::exercises(kRoot);
  const auto files = public_files_of_course(kRoot, exercises);
  for (const auto& exercise : exercises) {
    const auto skeleton = fingerprints(text_at(kRoot / lab::skeleton_of(exercise)));
    const auto solution = fingerprints(text_at(kRoot / lab::solution_of(exercise)));
    const auto controls = controls_of(files, exercise.id);
    for (std::size_t i = 0; i < controls.size(); ++i) {
      Alike alike(skeleton);
      alike.add("anna", fingerprints(controls[i]));
      alike.add_public("the course's solution", solution);
      ++pairs;
      alarms += !alike.find("x").empty();
      for (std::size_t j = 0; j < i; ++j) {
        Alike two(skeleton);
        two.add("anna", fingerprints(controls[i]));
        two.add("bert", fingerprints(controls[j]));
        ++among;
        alarms_among += !two.find("x").empty();
      }
    }
  }
  MESSAGE(alarms << " of " << pairs << " controls are taken for copies of the solution, "
                 << alarms_among << " of " << among << " pairs of them for copies of each other");
  CHECK(pairs > 50);
  CHECK(alarms * 5 < pairs);
}

} // namespace course::classroom

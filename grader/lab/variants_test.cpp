#include "lab/variants.hpp"

#include "lab/labs.hpp"
#include "lab/marks.hpp"
#include "system/file.hpp"

#include <doctest/doctest.h>

#include <fstream>

namespace course::lab {
namespace {

// A course with the solution of one exercise, and variants of it.
struct CourseOfVariants {
  system::TemporaryFolder folder{"course-variants"};
  const std::filesystem::path& root = folder.path();
  const Exercise& exercise = *find(exercises(COURSE_SOURCE_DIR), "05_transpose/2_pad").exercise;

  CourseOfVariants() {
    write("solutions/05_transpose/2_pad.cu", "// task\n\na();\nb();\n");
    write("solutions/05_transpose/wrong/2_pad_own.cu", "// wrong: output: a file\nc();\n");
    write("solutions/05_transpose/wrong/2_pad.diff",
          "=== z\n// wrong: output: no a\n-a();\n\n=== b\n// wrong: memory: no b\n-b();\n");
    write("solutions/05_transpose/wrong/3_rows_x.cu", "// wrong: output: another exercise's\n");
  }
  void write(const std::filesystem::path& file, const std::string& text) const {
    std::filesystem::create_directories((root / file).parent_path());
    std::ofstream(root / file) << text;
  }
  const std::string* text_called(const std::string& name) {
    found = wrong_variant(exercise, root, name);
    return found ? found->text() : nullptr;
  }
  std::optional<Variant> found;
};

} // namespace

TEST_CASE("variants are files and edits, by the names of their files") {
  CourseOfVariants course;
  const auto all = wrong_variants_of(course.exercise, course.root);
  REQUIRE(all.size() == 3);
  CHECK(all[0].file == "solutions/05_transpose/wrong/2_pad_b.cu");
  CHECK(all[1].file == "solutions/05_transpose/wrong/2_pad_own.cu");
  CHECK(all[2].file == "solutions/05_transpose/wrong/2_pad_z.cu");
  REQUIRE(all[0].text());
  CHECK(*all[0].text() == "// wrong: memory: no b\n\na();\n");
  CHECK(name_of(all[2], course.exercise) == "z");
  const VariantFile file(all[2]);
  CHECK(file.path().filename() == "2_pad_z.cu");
  CHECK(system::content_of(file.path()) == *all[2].text());
}

TEST_CASE("a variant is found by its name, and by the path that its file would have") {
  CourseOfVariants course;
  for (const char* name : {"z", "2_pad_z", "solutions/05_transpose/wrong/2_pad_z.cu",
                           "/home/me/course/solutions/05_transpose/wrong/2_pad_z.cu"}) {
    CAPTURE(name);
    REQUIRE(course.text_called(name));
    CHECK(*course.text_called(name) == "// wrong: output: no a\n\nb();\n");
  }
  CHECK(*course.text_called("own") == "// wrong: output: a file\nc();\n");
  for (const char* name :
       {"", "a", "pad_z", "2_pad_z.cu", "3_rows_x", "resolutions/05_transpose/wrong/2_pad_z.cu"})
    CHECK_FALSE(course.text_called(name));
}

TEST_CASE("an edit that does not apply, and a name that a file has, are faults of that variant") {
  CourseOfVariants course;
  course.write("solutions/05_transpose/wrong/2_pad.diff",
               "=== z\n// wrong: output: no d\n-d();\n\n=== own\n// wrong: memory: no b\n-b();\n");
  const auto all = wrong_variants_of(course.exercise, course.root);
  REQUIRE(all.size() == 3);
  CHECK(all[0].text());
  REQUIRE(all[1].fault());
  CHECK(*all[1].fault() == EditFault{EditFault::What::name_again, 7});
  REQUIRE(all[2].fault());
  CHECK(*all[2].fault() == EditFault{EditFault::What::not_there, 3});
}

TEST_CASE("every variant of this course has a text that says what fails") {
  for (const auto& exercise : exercises(COURSE_SOURCE_DIR))
    for (const auto& variant : wrong_variants_of(exercise, COURSE_SOURCE_DIR)) {
      CAPTURE(variant.file.string());
      REQUIRE(variant.text());
      CHECK_FALSE(confession(*variant.text()).checks.empty());
    }
}

} // namespace course::lab

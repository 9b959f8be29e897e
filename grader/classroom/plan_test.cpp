#include "classroom/plan.hpp"

#include "classroom/record.hpp"
#include "classroom/staged_folder.hpp"

#include <doctest/doctest.h>

namespace course::classroom {
namespace {

Planning planning(const staged::Folder& folder) {
  Planning planning;
  planning.results = folder.path / "results";
  planning.plan = {folder.path / "submissions", "", 7, "emulated"};
  planning.exercises = &staged::exercises();
  planning.command = {"/bin/a course", "class-one"};
  return planning;
}

std::string tests(const Planning& planning) {
  return build::content_of(planning.results / "ctest/CTestTestfile.cmake").value_or("");
}

} // namespace

TEST_CASE("a plan has everybody from the first moment, and a test for each") {
  const staged::Folder folder;
  folder.write("submissions/anna/05_transpose/2_pad.cu", "");
  folder.write("submissions/anna/08_tiled_product/2_ratio.cu", "");
  folder.write("submissions/bert.zip", "no zip");
  folder.write("submissions/clara.rar", "");
  const auto about = planning(folder);
  CHECK(make_plan(about) == 3);
  CHECK(read_roster(about.results) == std::vector<std::string>{"anna", "bert", "clara.rar"});
  CHECK_FALSE(read_record(about.results, "anna")->read);
  CHECK(read_record(about.results, "clara.rar")->blocked);
  CHECK(read_plan(about.results)->seed == 7);
  CHECK(tests(about).find("add_test([=[anna]=] [=[/bin/a course]=] [=[class-one]=] [=[anna]=])\n"
                          "set_tests_properties([=[anna]=] PROPERTIES LABELS "
                          "[=[class;05_transpose;08_tiled_product]=])") != std::string::npos);
  CHECK(tests(about).find("RESOURCE_GROUPS") == std::string::npos);
}

TEST_CASE("a second plan keeps what was found, and begins anew where the submission is another") {
  const staged::Folder folder;
  folder.write("submissions/anna/2_pad.cu", "");
  const auto about = planning(folder);
  make_plan(about);
  auto record = *read_record(about.results, "anna");
  record.read = true;
  write_record(about.results, record);
  make_plan(about);
  CHECK(read_record(about.results, "anna")->read);
  staged::fs::remove_all(folder.path / "submissions/anna");
  folder.write("submissions/anna.zip", "");
  make_plan(about);
  CHECK_FALSE(read_record(about.results, "anna")->read);
}

TEST_CASE("where there are GPUs, each test asks for one") {
  const staged::Folder folder;
  folder.write("submissions/anna/2_pad.cu", "");
  auto about = planning(folder);
  about.gpus = {"0", "1"};
  make_plan(about);
  CHECK(tests(about).find("RESOURCE_GROUPS \"gpus:1\"") != std::string::npos);
  CHECK(build::content_of(about.results / "ctest/gpus.json"));
}

TEST_CASE("an empty folder is a class of nobody") {
  const staged::Folder folder;
  staged::fs::create_directories(folder.path / "submissions");
  CHECK(make_plan(planning(folder)) == 0);
}

TEST_CASE("a plan that is damaged is none") {
  const staged::Folder folder;
  CHECK_FALSE(read_plan(folder.path));
  folder.write("plan.json", "{\"seed\": 1}");
  CHECK_FALSE(read_plan(folder.path));
}

} // namespace course::classroom

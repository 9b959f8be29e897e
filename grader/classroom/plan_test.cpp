#include "classroom/plan.hpp"

#include "classroom/hand_made_folder.hpp"
#include "classroom/names.hpp"
#include "classroom/record.hpp"
#include "classroom/roster.hpp"

#include <doctest/doctest.h>

namespace course::classroom {
namespace {

Planning planning(const hand_made::Folder& folder) {
  Planning planning;
  planning.results = folder.path / "results";
  planning.plan = {{{"", folder.path / "submissions"}}, 7, "emulated", {}};
  planning.exercises = &hand_made::exercises();
  planning.command = {"/bin/a course", "class-one"};
  return planning;
}

// Of what is called so.
std::string record_of(const std::string& name) {
  Entry entry;
  entry.own = name;
  return entry.record();
}

std::string tests(const Planning& planning) {
  return system::content_of(planning.results / "ctest/CTestTestfile.cmake").value_or("");
}

} // namespace

TEST_CASE("a plan has everybody from the first moment, and a test for each") {
  const hand_made::Folder folder;
  folder.write("submissions/anna/05_transpose/2_pad.cu", "");
  folder.write("submissions/anna/08_tiled_product/2_ratio.cu", "");
  folder.write("submissions/bert.zip", "no zip");
  folder.write("submissions/clara.docx", "");
  folder.write("submissions/README.txt", "");
  const auto about = planning(folder);
  const auto planned = std::get<Planned>(make_plan(about));
  CHECK(planned.submissions == 3);
  CHECK(planned.passed_over == std::vector<std::string>{"README.txt"});
  CHECK(read_roster(about.results) ==
        std::vector<std::string>{record_of("anna"), record_of("bert"), record_of("clara.docx")});
  CHECK_FALSE(read_record(about.results, record_of("anna"))->read);
  CHECK(read_record(about.results, record_of("clara.docx"))->blocked);
  CHECK(read_plan(about.results)->seed == 7);
  CHECK(tests(about).find("add_test([=[anna]=] [=[/bin/a course]=] [=[class-one]=] [=[" +
                          record_of("anna") +
                          "]=])\n"
                          "set_tests_properties([=[anna]=] PROPERTIES LABELS "
                          "[=[class;05_transpose;08_tiled_product]=])") != std::string::npos);
  CHECK(tests(about).find("RESOURCE_GROUPS") == std::string::npos);
}

TEST_CASE("a second plan keeps what was found, and begins anew where the submission is another") {
  const hand_made::Folder folder;
  folder.write("submissions/anna/2_pad.cu", "");
  const auto about = planning(folder);
  make_plan(about);
  auto record = *read_record(about.results, record_of("anna"));
  record.read = true;
  write_record(about.results, record);
  make_plan(about);
  CHECK(read_record(about.results, record_of("anna"))->read);
  hand_made::fs::remove_all(folder.path / "submissions/anna");
  folder.write("submissions/anna.zip", "");
  make_plan(about);
  CHECK_FALSE(read_record(about.results, record_of("anna"))->read);
}

TEST_CASE("records of an older version are moved to whom they are about") {
  const hand_made::Folder folder;
  folder.write("submissions/Anna Schmidt/2_pad.cu", "");
  folder.write("submissions/Anna_Schmidt-905ef638/2_pad.cu", ""); // who took her record there
  folder.write("submissions/bert/2_pad.cu", "");
  const auto about = planning(folder);
  const auto older = [&](const std::string& id, const std::string& place,
                         const std::string& tried) {
    folder.write(
        "results/records/" + id + ".json",
        R"({"schema":4,"id":")" + id + R"(","name":"x","lab":"","path":")" +
            encoded(hand_made::fs::canonical(folder.path / "submissions" / place).string()) +
            R"(","parts":[],"problems":[],"ignored":[],"read":true,"blocked":false,"rows":[)"
            R"({"exercise":"05_transpose/2_pad","file":"2_pad.cu","key":"k","refused":"",)"
            R"("graded":false,"failed":[")" +
            tried + R"("],"time":0,"clock":"","digest":"d","version":"1"}]})");
  };
  older("bert", "bert", "here: crashed");
  older("Anna_Schmidt-905ef638", "Anna_Schmidt-905ef638", "there: crashed");
  CHECK(read_record(about.results, "bert")->label == "bert"); // as --tables reads them
  make_plan(about);
  const auto bert = read_record(about.results, record_of("bert"));
  REQUIRE(bert);
  CHECK(bert->read);
  CHECK(bert->rows.at(0).failed == std::vector<std::string>{"here: crashed"});
  CHECK(read_record(about.results, record_of("Anna_Schmidt-905ef638"))->read);
  CHECK_FALSE(read_record(about.results, record_of("Anna Schmidt"))->read);
  CHECK_FALSE(read_record(about.results, "bert"));
}

TEST_CASE("where there are GPUs, each test asks for one") {
  const hand_made::Folder folder;
  folder.write("submissions/anna/2_pad.cu", "");
  auto about = planning(folder);
  about.gpus = {"0", "1"};
  make_plan(about);
  CHECK(tests(about).find("RESOURCE_GROUPS \"gpus:1\"") != std::string::npos);
  CHECK(system::content_of(about.results / "ctest/gpus.json"));
}

TEST_CASE("an empty folder is a class of nobody") {
  const hand_made::Folder folder;
  hand_made::fs::create_directories(folder.path / "submissions");
  CHECK(std::get<Planned>(make_plan(planning(folder))).submissions == 0);
}

TEST_CASE("who is gone leaves no record, and comes back as if for the first time") {
  const hand_made::Folder folder;
  folder.write("submissions/anna/2_pad.cu", "");
  folder.write("submissions/bert/2_pad.cu", "");
  const auto about = planning(folder);
  make_plan(about);
  hand_made::fs::remove_all(folder.path / "submissions/bert");
  make_plan(about);
  CHECK(read_record(about.results, record_of("anna")));
  CHECK_FALSE(read_record(about.results, record_of("bert")));
  CHECK(read_members(about.results).size() == 1);
}

TEST_CASE("Gradescope's list in the folder says who is who, and is an error when it is damaged") {
  const hand_made::Folder folder;
  folder.write("submissions/submission_1/2_pad.cu", "");
  folder.write("submissions/submission_metadata.yml",
               "submission_1:\n  :submitters:\n  - :name: Anna\n    :sid: s1\n"
               "  :created_at: 2026-11-20 22:10:00 Z\n");
  const auto about = planning(folder);
  make_plan(about);
  const auto members = read_members(about.results);
  REQUIRE(members.size() == 1);
  CHECK(members[0].person.name == "Anna");
  CHECK(members[0].times.at("").clock == "Gradescope");
  folder.write("submissions/submission_metadata.yml", "no list");
  CHECK(std::holds_alternative<std::string>(make_plan(about)));
}

TEST_CASE("a plan that is damaged is none") {
  const hand_made::Folder folder;
  CHECK_FALSE(read_plan(folder.path));
  folder.write("plan.json", "{\"seed\": 1}");
  CHECK_FALSE(read_plan(folder.path));
}

} // namespace course::classroom

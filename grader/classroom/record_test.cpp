#include "classroom/record.hpp"

#include "classroom/hand_made_folder.hpp"

#include <doctest/doctest.h>

namespace course::classroom {
namespace {

Record anna() {
  Record record;
  record.id = "anna";
  record.label = "05_transpose/anna";
  record.name = "A\xf6nna";
  record.place = {"/handed_in/A\xf6nna", {{"L\xf6.zip", "l.zip"}}};
  record.problems = {"not UTF-8: \xff"};
  record.ignored = {"a.cuh is a header"};
  record.lab = "05_transpose";
  record.read = true;
  const Row pad{
      "05_transpose/2_pad", "L\xf6/2_pad.cu", "ab12", "", true, {}, 17, "a clock", "d1", "1"};
  const Row tile{"05_transpose/1_tile", "1_tile.cu", "", "two files", false, {}, 0, "", "", "1"};
  const Row ratio{"08_tiled_product/2_ratio", "2.cu", "cd", "", false,
                  {"vm GPU 1: fell off"},     0,      "",   "", "2"};
  record.rows = {pad, tile, ratio};
  return record;
}

} // namespace

TEST_CASE("a record comes back as it was, whatever bytes its names are of") {
  const hand_made::Folder folder;
  write_record(folder.path, anna());
  const auto read = read_record(folder.path, "anna");
  REQUIRE(read);
  CHECK(read->name == anna().name);
  CHECK(read->lab == anna().lab);
  CHECK(read->label == anna().label);
  CHECK(read->place == anna().place);
  CHECK(read->ignored == anna().ignored);
  CHECK(read->rows[0].time == 17);
  CHECK(read->rows[0].clock == "a clock");
  CHECK(read->rows[0].digest == "d1");
  CHECK(read->read);
  CHECK_FALSE(read->blocked);
  REQUIRE(read->rows.size() == 3);
  CHECK(read->rows[0].file == "L\xf6/2_pad.cu");
  CHECK(read->rows[0].graded);
  CHECK(read->rows[1].refused == "two files");
  CHECK(read->rows[2].failed == std::vector<std::string>{"vm GPU 1: fell off"});
}

TEST_CASE("a damaged record is none") {
  const hand_made::Folder folder;
  CHECK_FALSE(read_record(folder.path, "anna"));
  write_record(folder.path, anna());
  const auto whole = *system::content_of(record_path(folder.path, "anna"));
  for (const auto& text : {std::string(), whole.substr(0, whole.size() / 2), std::string("[]"),
                           std::string("{\"schema\": 1}")}) {
    system::publish(record_path(folder.path, "anna"), text);
    CHECK_FALSE(read_record(folder.path, "anna"));
  }
  system::publish(record_path(folder.path, "bert"), whole); // another student's
  CHECK_FALSE(read_record(folder.path, "bert"));
}

TEST_CASE("a record that did not change is not written again") {
  const hand_made::Folder folder;
  write_record(folder.path, anna());
  const auto file = record_path(folder.path, "anna");
  std::filesystem::last_write_time(file, std::filesystem::file_time_type{});
  write_record(folder.path, anna());
  CHECK(std::filesystem::last_write_time(file) == std::filesystem::file_time_type{});
}

} // namespace course::classroom

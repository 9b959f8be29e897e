#include "lab/measured.hpp"

#include "lab/exercise_file.hpp"

#include <doctest/doctest.h>

#include <fstream>
#include <unistd.h>

namespace course::lab {
namespace {

struct MeasuredTable {
  std::filesystem::path data =
      std::filesystem::temp_directory_path() / ("measured_" + std::to_string(getpid()));
  MeasuredTable() {
    std::filesystem::create_directories(data);
    std::ofstream(data / "times.csv") << "# device: some\nway,size,us\na,10,1.5\na,20,3\nb,10,2\n";
    std::ofstream(data / "short.csv") << "way,us\na\n";
  }
  ~MeasuredTable() { std::filesystem::remove_all(data); }

  std::map<std::string, double> read(const std::string& toml) const {
    const auto table = Table::parse("[measured]\n" + toml, "mine");
    return read_measured(table["measured"], data).value();
  }
  bool refuses(const std::string& toml) const {
    try {
      read(toml);
    } catch (const CourseError&) {
      return true;
    }
    return false;
  }
};

} // namespace

TEST_CASE("a measured number is the column of the one row that has the texts") {
  const MeasuredTable table;
  const auto numbers = table.read("table = 'times.csv'\ncolumn = 'us'\n"
                                  "rows = {x = {way = 'a', size = '20'}, y = {way = 'b'}}");
  CHECK(numbers.size() == 2);
  CHECK(numbers.at("x") == 3);
  CHECK(numbers.at("y") == 2);
}

TEST_CASE("no row, several rows, or no such column is a mistake of the course") {
  const MeasuredTable table;
  CHECK(table.refuses("table = 'times.csv'\ncolumn = 'us'\nrows = {x = {way = 'c'}}"));
  CHECK(table.refuses("table = 'times.csv'\ncolumn = 'us'\nrows = {x = {way = 'a'}}"));
  CHECK(table.refuses("table = 'times.csv'\ncolumn = 'ms'\nrows = {x = {way = 'b'}}"));
  CHECK(table.refuses("table = 'times.csv'\ncolumn = 'us'\nrows = {x = {how = 'b'}}"));
  CHECK(table.refuses("table = 'times.csv'\ncolumn = 'way'\nrows = {x = {way = 'b'}}"));
  CHECK(table.refuses("table = 'short.csv'\ncolumn = 'us'\nrows = {x = {way = 'a'}}"));
}

TEST_CASE("a table that is not there is no mistake: labs can be copied by themselves") {
  const MeasuredTable table;
  const auto toml = Table::parse("[m]\ntable = 'none.csv'\ncolumn = 'us'\nrows = {}", "mine");
  CHECK_FALSE(read_measured(toml["m"], table.data));
}

} // namespace course::lab

#include "classroom/kept.hpp"

#include "classroom/hand_made_folder.hpp"

#include <doctest/doctest.h>

namespace course::classroom {
namespace {

struct Results {
  hand_made::Folder folder;
  std::variant<Kept, std::string> read(const Given& given = {}) const {
    return read_given(folder.path / "results", given, hand_made::exercises());
  }
  Kept kept(const Given& given = {}) const {
    auto all = read(given);
    if (const auto* what = std::get_if<std::string>(&all)) FAIL(*what);
    return std::get<Kept>(std::move(all));
  }
  void keep(const Given& given) const {
    keep_given(folder.path / "results", given, hand_made::exercises());
  }
  std::string wrong(const Given& given = {}) const {
    const auto all = read(given);
    const auto* what = std::get_if<std::string>(&all);
    return what ? *what : "";
  }
};

} // namespace

TEST_CASE("what is given once holds until something else is given") {
  const Results results;
  const Given given{
      results.folder.write("mine.toml", "seed = 7\n"),
      results.folder.write("roster.csv", "id,name\n1,Anna\n"),
      {results.folder.write("t.csv", "id,submitted\n1,2026-11-20T22:10:00Z\n"),
       "05_transpose=" + results.folder.write("s.json", "[{\"user_id\": 1}]").string()}};
  CHECK(results.kept().people.empty());
  CHECK(results.kept(given).settings.seed == 7);
  results.keep(given);
  const auto later = results.kept();
  CHECK(later.settings.seed == 7);
  REQUIRE(later.people.size() == 1);
  CHECK(later.times.at("").size() == 1);
  CHECK(later.times.count("05_transpose") == 1);
  const Given other{results.folder.write("other.toml", "seed = 8\n"), "", {}};
  CHECK(results.kept(other).settings.seed == 8);
  CHECK(results.kept(other).people.size() == 1);
  const Given again{"", "", {results.folder.path / "results/times/all/t.csv"}};
  results.keep(again);
  CHECK(results.kept().times.size() == 2);
}

TEST_CASE("times of one lab leave those of the others as they were") {
  const Results results;
  const auto table = [&](const std::string& name, int day) {
    return results.folder
        .write(name, "id,submitted\n1,2026-11-" + std::to_string(day) + "T22:10:00Z\n")
        .string();
  };
  results.keep({"", "", {"05=" + table("a/t.csv", 10), "05=" + table("b/t.csv", 11)}});
  results.keep({"", "", {"08=" + table("c/t.csv", 12)}});
  const auto kept = results.kept();
  CHECK(kept.times.at("05_transpose").size() == 2); // of two files of one name
  CHECK(kept.times.at("08_tiled_product").size() == 1);
  results.keep({"", "", {"05_transpose=" + table("d.csv", 13)}});
  CHECK(results.kept().times.at("05_transpose").size() == 1);
  CHECK(results.kept().times.at("08_tiled_product").size() == 1);
  results.keep({"", "", {"none"}});
  CHECK(results.kept().times.empty());
}

TEST_CASE("a roster of an older program is read in the encoding that the settings say") {
  const Results results;
  const Given given{results.folder.write("c.toml", "encoding = \"GBK\"\n"),
                    results.folder.write("r.csv", "id,name\n1,\xc0\xee\xc0\xd7\n"),
                    {}};
  CHECK(results.kept(given).people.at(0).name == "李雷");
  const auto bad = results.folder.write("bad.toml", "encoding = \"GBKK\"\n").string();
  CHECK(results.wrong({bad, "", {}}).starts_with(bad + ":1: encoding: "));
}

TEST_CASE("what cannot be used is named, and settings of another form are not passed over") {
  const Results results;
  const auto bad = results.folder.write("bad.toml", "\nseed = -1\n").string();
  CHECK(results.wrong({bad, "", {}}).starts_with(bad + ":2: seed: "));
  CHECK_FALSE(results.wrong({"not/there.toml", "", {}}).empty());
  CHECK_FALSE(results.wrong({"", "", {"05_transpos=" + bad}}).empty());
  results.folder.write("results/class.json", "{}");
  CHECK(results.wrong().find("class.toml") != std::string::npos);
}

} // namespace course::classroom

#include "classroom/roster.hpp"

#include "classroom/hand_made_folder.hpp"
#include "classroom/names.hpp"

#include <doctest/doctest.h>

#include <set>

namespace course::classroom {

TEST_CASE(
    "everything in the folder is somebody, if only with a problem, but for texts and tables") {
  const hand_made::Folder folder;
  folder.write("anna/2_pad.cu", "");
  folder.write("bert.zip", "");
  folder.write("clara.docx", "");
  folder.write("emil.tar.gz", "");
  folder.write(".DS_Store", "");
  folder.write(".git/HEAD", "");
  folder.write("..felix/2_pad.cu", "");
  folder.write("README.txt", "");
  hand_made::fs::create_symlink("/etc", folder.path / "dora");
  folder.write("L\xf6ve/2_pad.cu", "");
  const auto found = roster(folder.path);
  const auto& entries = found.entries;
  REQUIRE(entries.size() == 6);
  CHECK(entries[0].name == "Löve");
  CHECK(entries[0].problem.empty());
  CHECK(entries[1].id == "anna");
  CHECK(entries[2].name == "bert");
  CHECK(entries[3].problem.starts_with("It is neither a folder nor an archive"));
  CHECK(entries[4].problem == "It is a link, not a folder or an archive.");
  CHECK(entries[5].name == "emil");
  CHECK(found.passed_over == std::vector<std::string>{"..felix", "README.txt"});
}

TEST_CASE("two submissions of one student are one row that names both") {
  const hand_made::Folder folder;
  folder.write("anna/2_pad.cu", "");
  folder.write("anna.zip", "");
  const auto entries = roster(folder.path).entries;
  REQUIRE(entries.size() == 1);
  CHECK(entries[0].problem.find("anna and anna.zip") != std::string::npos);
}

TEST_CASE("what two students could have named is one row that names both") {
  const hand_made::Folder folder;
  folder.write("Zo\xc3\xab/2_pad.cu", "a");     // as most systems write it
  folder.write("Zoe\xcc\x88/2_pad.cu", "b");    // as macOS does
  folder.write("smith_77_12345_2_pad.cu", "a"); // of Canvas
  folder.write("smith_77/2_pad.cu", "b");       // of somebody
  folder.write("\xef\xbb\xbf"
               "bert/2_pad.cu",
               "a");
  folder.write("bert.zip", "b");
  const auto entries = roster(folder.path).entries;
  REQUIRE(entries.size() == 3);
  CHECK(entries[1].problem.find("bert.zip") != std::string::npos);
  CHECK(entries[0].problem.find("Zoe%CC%88 and Zo%C3%AB") != std::string::npos);
  CHECK(entries[2].problem.find("smith_77 and smith_77_12345_2_pad.cu") != std::string::npos);
}

TEST_CASE("nobody poses as another by what they call a file") {
  const hand_made::Folder folder;
  folder.write("eve_66_12345_anna_77_assignsubmission_file_2_pad.cu", "");
  folder.write("Eve_66_assignsubmission_file_Anna_77_assignsubmission_file_2_pad.cu", "");
  folder.write("Bert_18_assignsubmission_file_2_pad.cu", "");
  const auto entries = roster(folder.path).entries;
  REQUIRE(entries.size() == 3);
  for (const auto& entry : entries) {
    CHECK(entry.number == (entry.name == "Bert" ? "18" : ""));
    CHECK(entry.problem.starts_with("Its name could be one of Canvas'") == (entry.name != "Bert"));
  }
}

TEST_CASE("a record is of one submission: no other name, in no other folder, has it") {
  const hand_made::Folder folder;
  const std::string names[] = {
      "Anna Schmidt", "Anna_Schmidt-905ef638", id_of("Anna Schmidt"), "anna",
      "Anna",         "05_transpose.anna",     "05_transpose_anna",   "anna."};
  for (const auto& name : names) folder.write(name + "/2_pad.cu", "");
  auto entries = roster(folder.path).entries;
  REQUIRE(entries.size() == std::size(names));
  for (auto entry : std::vector(entries)) {
    CHECK(entry.problem.empty());
    entry.lab = "05_transpose";
    entries.push_back(entry);
  }
  std::set<std::string> records, labels;
  for (const auto& entry : entries) {
    CHECK(entry.record().size() == 64);
    records.insert(entry.record());
    labels.insert(entry.label());
  }
  CHECK(records.size() == entries.size());
  CHECK(labels.size() == entries.size());
}

TEST_CASE("names that differ in a letter of Latin-1 are two names, and shown right") {
  const hand_made::Folder folder;
  folder.write("L\xf6ve/2_pad.cu", "");
  folder.write("L\xe4ve/2_pad.cu", "");
  const auto entries = roster(folder.path).entries;
  REQUIRE(entries.size() == 2);
  CHECK(entries[0].name == "Läve");
  CHECK(entries[1].name == "Löve");
  CHECK(entries[0].id != entries[1].id);
}

TEST_CASE("files side by side, as Canvas and Moodle download them, are their students'") {
  const hand_made::Folder folder;
  folder.write("smithanna_12345_678901_2_pad.cu", "a");
  folder.write("smithanna_LATE_12345_678902_1_tile-1.cu", "b");
  folder.write("jones_12346_678903_submission.zip", "");
  folder.write("Anna Smith_17_assignsubmission_file_/2_pad.cu", "");
  folder.write("Anna Smith_17_assignsubmission_onlinetext_/onlinetext.html", "");
  folder.write("Bert_18_assignsubmission_file_2_pad.cu", "");
  folder.write("anna_4711_05_transpose_2_pad.cu", ""); // no platform's
  const auto entries = roster(folder.path).entries;
  REQUIRE(entries.size() == 5);
  CHECK(entries[0].name == "Anna Smith");
  CHECK(entries[0].number == "17");
  REQUIRE(entries[0].place.parts.size() == 2);
  CHECK(entries[1].place.parts[0].name == "2_pad.cu");
  CHECK_FALSE(entries[2].problem.empty());
  CHECK(entries[3].number == "12346");
  CHECK(entries[4].name == "smithanna");
  REQUIRE(entries[4].place.parts.size() == 2);
  CHECK(entries[4].place.parts[1].name == "1_tile-1.cu");
  const auto read = read_submission(entries[4].place, hand_made::exercises());
  REQUIRE(read.files.size() == 1); // 1_tile could be of two labs
  CHECK(read.files[0].path == "2_pad.cu");
  const auto moodle = read_submission(entries[0].place, hand_made::exercises());
  REQUIRE(moodle.files.size() == 1);
  CHECK(moodle.files[0].path == "2_pad.cu");
}

TEST_CASE("a folder that is not there is an error") {
  CHECK_THROWS_AS(roster("/not/there"), std::filesystem::filesystem_error);
}

} // namespace course::classroom

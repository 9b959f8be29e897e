#include "classroom/git_times.hpp"

#include "classroom/clock.hpp"
#include "classroom/hand_made_folder.hpp"
#include "system/shell.hpp"

#include <doctest/doctest.h>

namespace course::classroom {
namespace {

struct Clone {
  hand_made::Folder folder;
  bool works = false;
  Clone() {
    works = git("init -q -b main");
    folder.write("anna/05_transpose/2_pad.cu", "one");
    commit("2026-11-18T10:00:00Z");
    folder.write("anna/08_tiled_product/2_ratio.cu", "two");
    commit("2026-11-21T10:00:00Z");
  }
  bool git(const std::string& words) const {
    hand_made::fs::create_directories(folder.path / "anna");
    return system::run_in_shell("cd " + system::in_quotes((folder.path / "anna").string()) +
                                " && git -c user.name=A -c user.email=a@x.example " + words +
                                " >/dev/null 2>&1")
               .code == 0;
  }
  bool commit(const std::string& time) const {
    return git("add -A") &&
           system::run_in_shell("cd " + system::in_quotes((folder.path / "anna").string()) +
                                " && GIT_COMMITTER_DATE=" + time +
                                " git -c user.name=A -c user.email=a@x.example commit -qm x")
                   .code == 0;
  }
  Submission read() const {
    auto submission = read_submission({folder.path / "anna", {}}, hand_made::exercises());
    use_git_times(folder.path / "anna", submission);
    return submission;
  }
};

} // namespace

TEST_CASE("in a clone, each file has the time of the commit that made it what it is" *
          doctest::test_suite("needs git")) {
  const Clone clone;
  if (!clone.works) {
    MESSAGE("skipped: git does not work here");
    return;
  }
  auto found = clone.read();
  REQUIRE(found.files.size() == 2);
  CHECK(found.files[0].clock == "Git commit");
  CHECK(found.files[0].time == time_of("2026-11-18T10:00:00Z"));
  CHECK(found.files[1].time == time_of("2026-11-21T10:00:00Z"));
  CHECK(clone.git("pack-refs --all"));
  CHECK(clone.read().files[0].clock == "Git commit");
  clone.folder.write("anna/05_transpose/2_pad.cu", "changed since");
  CHECK(clone.read().files[0].clock == "date of the file");
  CHECK(clone.read().files[1].clock == "Git commit");
}

TEST_CASE("a student's repository runs nothing, and what is damaged is none" *
          doctest::test_suite("needs git")) {
  const Clone clone;
  if (!clone.works) {
    MESSAGE("skipped: git does not work here");
    return;
  }
  const auto mark = clone.folder.path / "ran";
  const auto program =
      clone.folder.write("anna/.git/evil", "#!/bin/sh\ntouch " + mark.string() + "\n");
  hand_made::fs::permissions(program, hand_made::fs::perms::owner_all);
  clone.folder.write("anna/.git/config",
                     "[core]\n\trepositoryformatversion = 0\n\tpager = " + program.string() +
                         "\n\tfsmonitor = " + program.string() +
                         "\n[log]\n\tshowSignature = true\n"
                         "[gpg]\n\tprogram = " +
                         program.string() + "\n");
  CHECK(clone.read().files[0].clock == "Git commit");
  CHECK_FALSE(hand_made::fs::exists(mark));
  for (const char* head : {"", "ref: ../../../etc/passwd\n", "ref: refs/heads/../../config\n",
                           "0000000000000000000000000000000000000000\n", "--output=x\n"}) {
    clone.folder.write("anna/.git/HEAD", head);
    CHECK(clone.read().files[0].clock == "date of the file");
  }
  hand_made::fs::remove_all(clone.folder.path / "anna/.git");
  hand_made::fs::create_directory_symlink("/", clone.folder.path / "anna/.git");
  CHECK(clone.read().files[0].clock == "date of the file");
}

} // namespace course::classroom

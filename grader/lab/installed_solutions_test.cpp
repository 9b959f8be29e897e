#include "lab/exercise_file.hpp"

#include "system/temporary_folder.hpp"

#include <doctest/doctest.h>

#include <fstream>

namespace course::lab {
namespace {

namespace fs = std::filesystem;

// A package's course, and a copy of its labs.
struct Copied {
  system::TemporaryFolder folder{"installed"};
  fs::path installed = folder.path() / "installed", answers = folder.path() / "kept",
           copy = folder.path() / "copy", lab = copy / "labs/05_transpose";

  Copied() {
    for (const auto& course : {installed, copy}) {
      fs::create_directories(course / "labs");
      fs::copy(fs::path(COURSE_SOURCE_DIR) / "labs/05_transpose", course / "labs/05_transpose");
    }
    solve_copies(installed, answers);
  }
  ~Copied() { solve_copies({}, {}); }
  Exercise exercise() const { return read_exercise(lab / "2_pad.toml"); }
  bool has_installed_solution() const {
    return exercise().solution == answers / "solutions/05_transpose/2_pad.cu";
  }
};

} // namespace

TEST_CASE("a copy of installed labs is solved where the package keeps solutions") {
  const Copied copied;
  CHECK(copied.has_installed_solution());
  CHECK(copied.exercise().answers() == copied.answers);
  CHECK(copied.exercise().root == copied.copy);
}

TEST_CASE("a course with solutions of its own keeps them, and so does one that nobody installed") {
  const Copied copied;
  fs::create_directory(copied.copy / "solutions");
  const auto own = copied.copy / "solutions/05_transpose/2_pad.cu";
  CHECK(copied.exercise().solution == own);
  fs::remove(copied.copy / "solutions");
  solve_copies({}, {});
  CHECK(copied.exercise().solution == own);
}

TEST_CASE("an exercise whose data were changed is another one, and so are all of a lab's") {
  for (const char* file : {"2_pad.toml", "lab.toml"}) {
    const Copied copied;
    std::ofstream(copied.lab / file, std::ios::app) << "\n# mine\n";
    CAPTURE(file);
    CHECK_FALSE(copied.has_installed_solution());
  }
}

} // namespace course::lab

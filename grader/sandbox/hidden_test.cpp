#include "hidden.hpp"

#include "sandbox/process.hpp"

#include <doctest/doctest.h>

#include <fstream>
#include <unistd.h>

namespace course::sandbox {
namespace {

namespace fs = std::filesystem;

class Tree {
public:
  Tree() {
    char name[] = "/tmp/course-hidden-test-XXXXXX";
    root_ = mkdtemp(name);
    for (const char* folder : {"bin", "lib/course/solutions", "lib/gcc", "share"})
      fs::create_directories(root_ / folder);
    std::ofstream(root_ / "lib/a.so") << "x";
  }
  ~Tree() { fs::remove_all(root_); }
  fs::path operator/(const char* name) const { return root_ / name; }
  const fs::path& root() const { return root_; }

private:
  fs::path root_;
};

using Paths = std::vector<fs::path>;

} // namespace

TEST_CASE("a folder that holds nothing hidden is readable as it is") {
  const Tree tree;
  CHECK(except(tree.root(), {}) == Paths{tree.root()});
  CHECK(except(tree.root(), {"/elsewhere"}) == Paths{tree.root()});
  // A name that only begins alike is another folder.
  CHECK(except(tree / "lib", {tree / "li"}) == Paths{tree / "lib"});
}

TEST_CASE("of a folder that holds a hidden one the rest is readable") {
  const Tree tree;
  const Paths rest = {tree / "bin", tree / "lib/a.so", tree / "lib/gcc", tree / "share"};
  CHECK(except(tree.root(), {tree / "lib/course"}) == rest);
  CHECK(except(tree.root(), {tree.root()}).empty());
}

TEST_CASE("a program cannot read what is hidden below /usr, and runs") {
  const fs::path secret = "/usr/share";
  Command command;
  command.argv = {"/usr/bin/ls", secret};
  for (const auto rung : {Rung::bubblewrap, Rung::landlock}) {
    if (!available(rung)) continue;
    INFO(name(rung));
    const auto before = Process::start(command, {}, rung).wait();
    CHECK_MESSAGE(before.code == 0, before.err);
    hide({secret});
    const auto after = Process::start(command, {}, rung).wait();
    hide({});
    CHECK(after.end == Outcome::End::exited);
    CHECK(after.code == 2); // of ls: it could not be read
    CHECK(after.out.empty());
  }
}

} // namespace course::sandbox

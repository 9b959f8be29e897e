// CTest reads what is written here: these tests run it.
#include "classroom/ctest_tree.hpp"

#include "classroom/ctest_process.hpp"
#include "classroom/gpus.hpp"
#include "classroom/hand_made_folder.hpp"
#include "classroom/progress.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <sstream>

namespace course::classroom {
namespace {

struct Run {
  int code = 0;
  std::string output;
  std::size_t finished = 0, passed = 0;
};

Run ctest(const std::filesystem::path& tree, std::vector<std::string> more) {
  std::vector<std::string> command{"ctest", "--test-dir", tree.string()};
  command.insert(command.end(), more.begin(), more.end());
  Run run;
  run.code = run_lines(command, [&](const std::string& line) {
    run.output += line + "\n";
    if (const auto finished = finished_test(line)) {
      ++run.finished;
      run.passed += finished->passed;
    }
  });
  return run;
}

} // namespace

TEST_CASE("CTest runs a test a submission, with its labels, and runs failed ones again") {
  const hand_made::Folder folder;
  CTestTree tree;
  tree.command = {"sh", "-c",
                  "echo \"$0\" >> '" + (folder.path / "log").string() + "'; test \"$0\" != bert"};
  tree.tests = {{"anna", "anna", {"05_transpose"}},
                {"bert", "bert", {"05_transpose", "08_tiled_product"}},
                {"]=] clara", "]=] clara", {}}};
  write_ctest_tree(folder.path / "tree", tree);
  const auto all = ctest(folder.path / "tree", {"-j", "2"});
  CHECK(all.code == 8);
  CHECK(all.finished == 3);
  CHECK(all.passed == 2);
  CHECK(ctest(folder.path / "tree", {"-L", "08"}).finished == 1);
  CHECK(ctest(folder.path / "tree", {"-R", "^anna$"}).passed == 1);
  CHECK(ctest(folder.path / "tree", {"--rerun-failed"}).finished == 1);
  CHECK(system::content_of(folder.path / "log")->find("]=] clara") != std::string::npos);
}

TEST_CASE("a test that never ends is ended after the tree's time") {
  const hand_made::Folder folder;
  CTestTree tree;
  tree.command = {"sleep", "60"};
  tree.tests = {{"0", "0", {}}};
  tree.timeout = 1;
  write_ctest_tree(folder.path, tree);
  const auto run = ctest(folder.path, {});
  CHECK(run.finished == 1);
  CHECK(run.output.find("Timeout") != std::string::npos);
}

TEST_CASE("on fake GPUs, no more tests are at work than there are slots, and all GPUs are used") {
  const hand_made::Folder folder;
  CTestTree tree;
  // Whoever finds all slots of its GPU taken fails.
  tree.command = {"sh", "-c",
                  "cd '" + folder.path.string() + "' && for slot in $(seq " +
                      std::to_string(kSlots) +
                      "); do flock -n \"$CTEST_RESOURCE_GROUP_0_GPUS.$slot\" sleep 0.05 && "
                      "echo \"$CTEST_RESOURCE_GROUP_0_GPUS\" >> log && exit 0; done; exit 1"};
  for (int i = 0; i < 24; ++i)
    tree.tests.push_back({"s" + std::to_string(i), std::to_string(i), {}});
  tree.on_gpus = true;
  write_ctest_tree(folder.path / "tree", tree);
  const auto gpus = folder.write("gpus.json", resource_specification({"0", "1", "2", "3"}));
  const auto run = ctest(folder.path / "tree", {"-j", "24", "--resource-spec-file", gpus.string()});
  CHECK(run.code == 0);
  CHECK(run.passed == 24);
  std::istringstream lines(*system::content_of(folder.path / "log"));
  std::vector<std::string> used;
  for (std::string line; std::getline(lines, line);) used.push_back(*allocated_gpu(line));
  std::sort(used.begin(), used.end());
  CHECK(used.size() == 24);
  used.erase(std::unique(used.begin(), used.end()), used.end());
  CHECK(used == std::vector<std::string>{"0", "1", "2", "3"});
}

} // namespace course::classroom

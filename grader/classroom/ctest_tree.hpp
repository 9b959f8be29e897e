// A folder that CTest takes for a build folder: one test a submission.
//
// CTest's start-up grows with the square of the number of tests with properties, so a test has one
// property, its labels, and a second only where there are GPUs; what is the same for all is in the
// folder's configuration.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace course::classroom {

struct Test {
  std::string name;                // for people, and for -R
  std::string argument;            // of the command
  std::vector<std::string> labels; // labs
};

struct CTestTree {
  std::vector<std::string> command; // the test's argument is added as its last one
  std::vector<Test> tests;
  bool on_gpus = false; // each test has a slot of a GPU, from the resource specification
  int timeout = 3600;   // seconds, of a test
};

// Throws std::filesystem::filesystem_error.
void write_ctest_tree(const std::filesystem::path& folder, const CTestTree&);

} // namespace course::classroom

#include "classroom/ctest_tree.hpp"

#include "system/fields.hpp"
#include "system/published_file.hpp"

#include <fmt/format.h>

namespace course::classroom {
namespace {

// A bracket argument of CMake: nothing in it is taken for syntax. The number of equals signs is one
// that the text does not close.
std::string quoted(const std::string& text) {
  std::size_t equals = 1;
  while (text.find(fmt::format("]{}", std::string(equals, '='))) != text.npos) ++equals;
  const std::string bar(equals, '=');
  return fmt::format("[{0}[{1}]{0}]", bar, text);
}

} // namespace

void write_ctest_tree(const std::filesystem::path& folder, const CTestTree& tree) {
  std::string command;
  for (const auto& word : tree.command) command += fmt::format(" {}", quoted(word));
  system::Draft file(folder / "CTestTestfile.cmake");
  for (const auto& test : tree.tests) {
    const auto name = quoted(test.name);
    file.write(fmt::format("add_test({}{} {})\n", name, command, quoted(test.argument)));
    if (test.labels.empty() && !tree.on_gpus) continue;
    file.write(fmt::format("set_tests_properties({} PROPERTIES", name));
    if (!test.labels.empty())
      file.write(fmt::format(" LABELS {}", quoted(system::joined(test.labels, ";"))));
    if (tree.on_gpus) file.write(" RESOURCE_GROUPS \"gpus:1\"");
    file.write(")\n");
  }
  file.publish();
  system::publish(folder / "DartConfiguration.tcl",
                  fmt::format("BuildDirectory: {}\nTimeOut: {}\n", folder.string(), tree.timeout));
}

} // namespace course::classroom

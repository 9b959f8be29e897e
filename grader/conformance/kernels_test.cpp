#include "conformance/kernels.hpp"

#include <doctest/doctest.h>

#include <fstream>
#include <set>
#include <sstream>

namespace course::conformance {
namespace {

using Kind = KernelOutcome::Kind;

KernelLine line(std::uint32_t number, std::uint64_t wavefronts, bool marked = false,
                std::uint64_t requests = 1) {
  return {{"", "a.cu", number, model::Use{model::Memory::shared, model::Direction::load},
           wavefronts, 1, 0},
          requests,
          marked};
}
MeasuredKernel measured(const std::vector<KernelLine>& first,
                        const std::vector<KernelLine>& second) {
  return {"a.cu", "0", "O3", "f", {"", first}, {"", second}};
}
Kind kind(const std::vector<KernelLine>& here, const std::vector<KernelLine>& there) {
  return compared({"", here}, measured(there, there)).kind;
}

} // namespace

TEST_CASE("a launch is read from the comment above a kernel") {
  const auto read =
      kernels_in("a.cu", "O1", "// words\n// launch: f<1, 2> float, grid 2, block 64, n 5\n");
  CHECK(std::holds_alternative<std::string>(read)); // a comma ends the name
  const auto good = kernels_in(
      "a.cu", "O1",
      "// launch: f<2> float, grid 3x2, block 64, n 5, dynamic 128, twin g\nint launch;\n");
  const auto& kernels = std::get<std::vector<CompiledKernel>>(good);
  REQUIRE(kernels.size() == 1);
  CHECK(kernels[0].name == "f<2>");
  CHECK(kernels[0].element == "float");
  CHECK(kernels[0].grid == device::Dim3{3, 2, 1});
  CHECK(kernels[0].block == device::Dim3{64, 1, 1});
  CHECK(kernels[0].n == 5);
  CHECK(kernels[0].dynamic_shared == 128);
  CHECK(kernels[0].twin == "g");
}

TEST_CASE("a launch that cannot be read is named with its line") {
  for (const std::string words :
       {"f float, grid 2, block 64", "f, grid 2, block 64, n 5", "f half, grid 2, block 64, n 5",
        "f float, grid x, block 64, n 5", "f float, grid 2, block 64, n 5, more 3"}) {
    CAPTURE(words);
    const auto read = kernels_in("a.cu", "O3", "\n// launch: " + words + "\n");
    REQUIRE(std::holds_alternative<std::string>(read));
    CHECK(std::get<std::string>(read) == "a.cu, line 2: this launch cannot be read");
  }
}

TEST_CASE("every kernel of the course's files can be read, and no two have one name") {
  std::size_t kernels = 0;
  std::set<std::string> all_names, twins;
  for (const auto& file : kernel_files(COURSE_SOURCE_DIR)) {
    std::ifstream stream(file);
    std::stringstream text;
    text << stream.rdbuf();
    const auto read = kernels_in(file.filename(), "O3", text.str());
    REQUIRE(std::holds_alternative<std::vector<CompiledKernel>>(read));
    std::set<std::string> names;
    const auto& all = std::get<std::vector<CompiledKernel>>(read);
    for (const auto& kernel : all) CHECK(names.insert(kernel.name).second);
    for (const auto& kernel : all)
      if (!kernel.twin.empty()) twins.insert(kernel.twin);
    all_names.merge(names);
    kernels += all.size();
  }
  for (const auto& twin : twins) CHECK(all_names.contains(twin));
  CHECK(kernels >= 130);
}

TEST_CASE("a table is read back as it was written") {
  const auto varying = measured({line(3, 5), line(4, 6)}, {line(3, 5), line(4, 7)});
  auto failed = measured({}, {});
  failed.name = "g<1, 2>";
  failed.first.failure = failed.second.failure = "a fault";
  auto steady = measured({line(9, 2)}, {line(9, 2)});
  steady.level = "O1";
  std::istringstream text(std::string(kKernelColumns) + "\n" + rows_of(varying) + rows_of(failed) +
                          rows_of(steady));
  const auto read =
      std::get<std::vector<MeasuredKernel>>(measured_kernels_in(std::get<Table>(read_table(text))));
  REQUIRE(read.size() == 3);
  CHECK(read[0].first.lines.size() == 2);
  CHECK(read[0].second.lines[1].total.wavefronts == 7);
  CHECK(read[1].name == "g<1, 2>");
  CHECK_FALSE(read[1].first.failure.empty());
  CHECK(read[2].level == "O1");
  CHECK(read[2].first.lines[0].total == read[2].second.lines[0].total);
}

TEST_CASE("a line that is not equal has to be marked") {
  CHECK(kind({line(3, 5)}, {line(3, 5)}) == Kind::equal);
  CHECK(kind({line(3, 5)}, {line(3, 6)}) == Kind::unequal);
  CHECK(kind({line(3, 5, true)}, {line(3, 6)}) == Kind::marked);
  CHECK(kind({line(3, 5, true)}, {line(3, 5)}) == Kind::marked);
}

TEST_CASE("a line that one device alone has is not equal") {
  CHECK(kind({line(3, 5)}, {line(3, 5), line(4, 1)}) == Kind::unequal);
  CHECK(kind({line(3, 5), line(4, 1)}, {line(3, 5)}) == Kind::unequal);
  CHECK(kind({line(3, 5), line(4, 1, true)}, {line(3, 5)}) == Kind::marked);
}

TEST_CASE("another line's mark excuses nothing") {
  CHECK(kind({line(3, 5, true), line(4, 2)}, {line(3, 6), line(4, 1)}) == Kind::unequal);
}

TEST_CASE("more requests than the GPU executed instructions are too many; fewer may be") {
  CHECK(kind({line(3, 5, false, 2)}, {line(3, 5, false, 1)}) == Kind::unequal);
  CHECK(kind({line(3, 5, false, 1)}, {line(3, 5, false, 2)}) == Kind::equal);
}

TEST_CASE("what differs from run to run has no exact count, and has to be marked") {
  const auto varying = measured({line(3, 5)}, {line(3, 6)});
  CHECK(compared({"", {line(3, 5)}}, varying).kind == Kind::unequal);
  CHECK(compared({"", {line(3, 5, true)}}, varying).kind == Kind::marked);
}

TEST_CASE("a kernel that is not executed here is refused, with its reason") {
  const auto outcome = compared({"an instruction", {}}, measured({line(3, 5)}, {line(3, 5)}));
  CHECK(outcome.kind == Kind::refused);
  CHECK(outcome.differences == std::vector<std::string>{"an instruction"});
}

TEST_CASE("an attacked kernel that counts less than its plain twin is told, unless it is marked") {
  const CountedKernel plain{"", {line(3, 5), line(4, 2)}};
  CHECK(less_than_twin({"", {line(9, 7, false, 2)}}, plain) ==
        std::vector<std::string>{"shared load: 1 ideal, its plain twin 2"});
  CHECK(less_than_twin({"", {line(9, 1, true)}}, plain).empty());
  CHECK(less_than_twin(plain, plain).empty());
  CHECK(less_than_twin({"", {}}, plain).size() == 3);
}

} // namespace course::conformance

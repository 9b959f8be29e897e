// Runs nvcc: what it tests is the machine code of a real compilation.
#include "device/gpu/source_map.hpp"

#include "device/gpu/compiled_checks.hpp"

#include <doctest/doctest.h>

#include <random>
#include <set>

namespace course::gpu {
namespace {

// Every instruction of a kernel that the map knows.
std::vector<InstructionCounts> known(const SourceMap& map, const std::string& kernel) {
  std::vector<InstructionCounts> found;
  for (std::uint32_t pc = 0; pc < 8192; pc += 16) {
    InstructionCounts counts;
    counts.kernel = kernel;
    counts.pc = pc;
    map.describe(counts);
    if (counts.does != InstructionCounts::Does::other) found.push_back(counts);
  }
  return found;
}

std::set<std::string> accesses_of(const std::vector<InstructionCounts>& all, std::uint32_t line) {
  std::set<std::string> found;
  for (const auto& counts : all) {
    if (counts.line == line) found.insert(name_of(counts.kind));
  }
  return found;
}

} // namespace

TEST_CASE("each access of a kernel has its width and its line") {
  const auto& bytes = compiled_checks().cubin;
  const SourceMap map(bytes, compiled_checks().ptx);
  const auto all = known(map, "transpose_unpadded");
  CHECK(accesses_of(all, 18).count("shared_store_4"));
  CHECK(accesses_of(all, 18).count("global_load_4"));
  CHECK(accesses_of(all, 21).count("shared_load_4"));
  CHECK(accesses_of(all, 21).count("global_store_4"));
  bool barrier = false;
  for (const auto& counts : all) {
    barrier = barrier || counts.does == InstructionCounts::Does::barrier;
    if (counts.line) CHECK(counts.file.ends_with("checks.cu"));
  }
  CHECK(barrier);
}

TEST_CASE("an atomic of a toolkit header is on the line of its caller") {
  const auto& bytes = compiled_checks().cubin;
  const auto all = known(SourceMap(bytes, compiled_checks().ptx), "histogram");
  CHECK(accesses_of(all, 48).count("shared_atomic_4"));
  CHECK(accesses_of(all, 50).count("global_atomic"));
}

// ptxas gives most products the line of a wait before them.
TEST_CASE("products are on their own line, or on none") {
  const auto module = compiled("products.cu", "90a");
  const SourceMap map(module.cubin, module.ptx);
  constexpr std::uint32_t kMultiply = 16, kAgain = 23; // where their functions begin
  std::size_t products = 0;
  for (const auto& counts : known(map, "on_one_line")) {
    if (counts.kind.access != model::RequestKind::wgmma) continue;
    ++products;
    CHECK(counts.line > kMultiply);
    CHECK(counts.line < kAgain);
  }
  CHECK(products == 4);
  products = 0;
  for (auto counts : known(map, "on_two_lines")) {
    if (counts.kind.access != model::RequestKind::wgmma) continue;
    ++products;
    CHECK((counts.line == 0 || (counts.line > kMultiply && counts.line < kAgain + 7)));
    counts.line = 9; // what CUPTI says, which is the wait's
    map.describe(counts);
    CHECK(counts.line != 9);
  }
  CHECK(products == 2);
}

TEST_CASE("without the PTX, accesses are known and lines are left as they were") {
  const auto& bytes = compiled_checks().cubin;
  const SourceMap map(bytes, "");
  InstructionCounts counts = known(SourceMap(bytes, compiled_checks().ptx), "histogram").front();
  const auto kind = counts.kind;
  counts.does = InstructionCounts::Does::other;
  counts.kind = {};
  counts.file = "kept.cu";
  counts.line = 3;
  map.describe(counts);
  CHECK(counts.does == InstructionCounts::Does::access);
  CHECK(counts.kind == kind);
  CHECK(counts.file == "kept.cu");
  CHECK(counts.line == 3);
}

TEST_CASE("unknown kernels and places describe nothing") {
  const auto& bytes = compiled_checks().cubin;
  const SourceMap map(bytes, compiled_checks().ptx);
  for (const auto& [kernel, pc] :
       {std::pair{"no_such_kernel", 0u}, {"histogram", 7u}, {"histogram", 1u << 30}}) {
    InstructionCounts counts;
    counts.kernel = kernel;
    counts.pc = pc;
    map.describe(counts);
    CHECK(counts.does == InstructionCounts::Does::other);
  }
}

TEST_CASE("damaged cubins and PTX are survived") {
  const auto& good = compiled_checks().cubin;
  const std::string& text = compiled_checks().ptx;
  std::mt19937 random(11);
  std::size_t described = 0;
  for (int i = 0; i < 60; ++i) {
    auto bytes = good;
    for (int flips = 0; flips < 40; ++flips)
      bytes[random() % (i % 2 ? bytes.size() : 4096)] = static_cast<std::byte>(random());
    bytes.erase(bytes.end() - static_cast<std::ptrdiff_t>(random() % (bytes.size() / 4)),
                bytes.end());
    described +=
        known(SourceMap(bytes, text.substr(0, random() % text.size())), "histogram").size();
  }
  CHECK(described < 60 * known(SourceMap(good, text), "histogram").size());
  CHECK(known(SourceMap({}, ""), "histogram").empty());
}

} // namespace course::gpu

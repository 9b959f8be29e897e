// The emulated device against an H200: every kernel of source_kernels.csv, equal in wavefronts,
// ideal wavefronts and sectors; atomics count in wavefronts alone. The hardware's requests also
// count instructions whose lanes are all predicated off, so there they are an upper bound.
//
// Columns of the table and how they were measured: ../../model/data/README.md.
#include "device/emulator/test_run.hpp"

#include <doctest/doctest.h>

#include <cstdlib>
#include <filesystem>
#include <unistd.h>

namespace course::emulator {
namespace {

constexpr int kSide = 4096;
constexpr unsigned kCount = 1u << 22;

std::vector<std::string> split(const std::string& line, char separator) {
  std::vector<std::string> parts;
  std::stringstream stream(line);
  for (std::string part; std::getline(stream, part, separator);) parts.push_back(part);
  return parts;
}

device::Dim3 dimensions(const std::string& text) { // "(32 16 1)"
  device::Dim3 result;
  std::stringstream(text.substr(1)) >> result.x >> result.y >> result.z;
  return result;
}

// "void tr_smem<0 16 16>(float * …)" as "tr_smem<0, 16, 16>".
std::string kernel_name(const std::string& signature) {
  std::string name = signature.substr(0, signature.find('('));
  if (name.starts_with("void ")) name.erase(0, 5);
  std::string result;
  for (const char c : name) result += c == ' ' ? std::string(", ") : std::string(1, c);
  return result;
}

// Kernels of this folder, PTX and cubin.
device::Module compiled(const std::string& name) {
  std::string pattern = std::filesystem::temp_directory_path() / "course_conformance_XXXXXX";
  REQUIRE(mkdtemp(pattern.data()));
  const std::filesystem::path folder = pattern;
  const std::string source = COURSE_SOURCE_DIR "/grader/device/emulator/conformance/" + name;
  device::Module module;
  for (const std::string flags : {"-arch=compute_90 --ptx", "-arch=sm_90 --cubin"}) {
    const std::string output = (folder / "out").string();
    const std::string command =
        "'" COURSE_NVCC "' -lineinfo " + flags + " '" + source + "' -o '" + output + "'";
    REQUIRE(std::system(command.c_str()) == 0);
    const std::string bytes = read_file(output);
    if (module.ptx.empty()) {
      module.ptx = bytes;
    } else {
      module.cubin.resize(bytes.size());
      std::memcpy(module.cubin.data(), bytes.data(), bytes.size());
    }
  }
  std::filesystem::remove_all(folder);
  return module;
}

struct Sums {
  std::uint64_t shared_loads = 0, shared_stores = 0, wavefronts = 0, ideal = 0;
  std::uint64_t sectors_loaded = 0, sectors_stored = 0;
};
Sums sums(const device::Observation& seen) {
  Sums total;
  for (const device::LineCounts& line : seen.lines) {
    total.wavefronts += line.wavefronts;
    total.ideal += line.ideal;
    if (line.kind.access == model::RequestKind::shared_load) total.shared_loads += line.requests;
    if (line.kind.access == model::RequestKind::shared_store) total.shared_stores += line.requests;
    if (line.kind.access == model::RequestKind::global_load) total.sectors_loaded += line.sectors;
    if (line.kind.access == model::RequestKind::global_store) total.sectors_stored += line.sectors;
  }
  return total;
}

} // namespace

TEST_CASE("every measured kernel has the wavefronts and sectors of the H200") {
  const device::Module module = compiled("source_kernels.cu");
  const auto device = make_device();
  std::ifstream table(COURSE_SOURCE_DIR "/grader/device/emulator/conformance/source_kernels.csv");
  std::string line;
  REQUIRE(std::getline(table, line));
  int rows = 0;
  while (std::getline(table, line)) {
    const std::vector<std::string> cells = split(line, ',');
    REQUIRE(cells.size() >= 13);
    const std::string name = kernel_name(cells[0]);
    CAPTURE(name);
    TestRun run(module.ptx);
    run.job.modules[0] = module;
    const device::Dim3 grid = dimensions(cells[1]), block = dimensions(cells[2]);
    const auto starts = [&](const char* prefix) { return name.starts_with(prefix); };
    const bool large = starts("tr_");
    const std::size_t elements = large ? std::size_t{kSide} * kSide : kCount;
    const auto in = run.buffer("in", std::vector<int>(elements));
    const auto out = run.buffer("out", std::vector<int>(elements));
    if (large)
      run.launch(name, grid, block, 0, out, in, kSide, kSide);
    else if (starts("red_best"))
      run.launch(name, grid, block, 0, in, out, kCount / 4);
    else if (starts("red_"))
      run.launch(name, grid, block, 0, in, out, kCount);
    else if (starts("sq_dynpad"))
      run.launch(name, grid, block, 32 * 33 * 4, out);
    else if (starts("sq_dyn"))
      run.launch(name, grid, block, 32 * 32 * 4, out);
    else if (starts("k_ldg"))
      run.launch(name, grid, block, 0, out, in);
    else if (cells[0].find("const") != std::string::npos)
      run.launch(name, grid, block, 0, out, in);
    else
      run.launch(name, grid, block, 0, out);
    run.seen = device->execute(run.job);
    CHECK(run.why() == "");

    for (const device::LineCounts& row : run.seen.lines) {
      CAPTURE(name_of(row.kind));
      CAPTURE(row.line);
      CHECK(row.width_from_sass);
    }
    for (const device::LaunchCounts& one : run.seen.launches) CHECK(one.registers > 0);

    const Sums mine = sums(run.seen);
    const auto measured = [&](std::size_t column) { return std::stoull(cells[column]); };
    CHECK(mine.shared_loads <= measured(3));
    CHECK(mine.shared_stores <= measured(4));
    CHECK(mine.wavefronts == measured(5));
    CHECK(mine.ideal == measured(6));
    CHECK(mine.sectors_loaded == measured(11));
    CHECK(mine.sectors_stored == measured(12));
    ++rows;
  }
  CHECK(rows == 50);
}

TEST_CASE("neighbouring accesses that ptxas merges are counted as the one that it makes of them") {
  const device::Module module = compiled("merged.cu");
  const auto run = [&](const std::string& kernel, bool with_cubin) {
    TestRun one(module.ptx);
    if (with_cubin) one.job.modules[0] = module;
    const auto out = one.buffer("out", std::vector<float>(32), false);
    const auto in = one.buffer("in", std::vector<float>(128, 2.0f));
    one.launch(kernel, {1}, {32}, 0, out, in).run();
    CHECK(one.why() == "");
    CHECK(one.findings() == "");
    for (const device::LineCounts& row : one.seen.lines)
      if (row.kind.is_on(model::Memory::shared)) CHECK(row.width_from_sass == with_cubin);
    return one;
  };
  for (const std::string kernel : {"four_floats", "fields_together"}) {
    CAPTURE(kernel);
    const TestRun merged = run(kernel, true);
    CHECK(merged.result<float>(0) == std::vector<float>(32, 8.0f));
    CHECK(merged.counts("shared_load_4").requests == 0);
    CHECK(merged.counts("shared_load_16").requests == 1);
    CHECK(merged.counts("shared_load_16").wavefronts == 4);
    CHECK(merged.counts("shared_load_16").conflicts() == 0);

    const TestRun as_in_ptx = run(kernel, false);
    CHECK(as_in_ptx.result<float>(0) == std::vector<float>(32, 8.0f));
    CHECK(as_in_ptx.counts("shared_load_4").requests == 4);
    CHECK(as_in_ptx.counts("shared_load_4").conflicts() == 12);
  }
  CHECK(run("fields_together", true).counts("shared_store_16").requests == 1);
  CHECK(run("fields_together", false).counts("shared_store_4").requests == 4);
  // With nothing to merge with, an access is what PTX says.
  CHECK(run("one_field", true).counts("shared_load_4").conflicts() == 3);
  CHECK(run("one_field", true).counts("shared_store_4").conflicts() == 3);
}

} // namespace course::emulator

#include "report/profile/source_view.hpp"

#include <doctest/doctest.h>

namespace course::report {
namespace {

constexpr const char* kSource = "// 1\n// 2\n// 3\n// 4\n// 5\n"
                                "__global__ void turn(float* out, const float* in) {\n"
                                "  __shared__ float tile[32][32];\n"
                                "  tile[threadIdx.y][threadIdx.x] = in[threadIdx.x];\n"
                                "  __syncthreads();\n"
                                "  out[threadIdx.x] = tile[threadIdx.x][threadIdx.y];\n"
                                "}\n"
                                "// 12\n// 13\n// 14\n";

device::LineCounts row(std::uint32_t line, const char* access, std::uint64_t wavefronts,
                       std::uint64_t sectors) {
  device::LineCounts counts;
  counts.file = "turn.cu";
  counts.line = line;
  counts.kind = model::kind_of(access).value();
  counts.requests = 1024;
  counts.ideal = wavefronts ? 1024 : 0;
  counts.wavefronts = wavefronts;
  counts.sectors = sectors;
  return counts;
}

Profile profile() {
  Profile made;
  made.file = "turn.cu";
  made.source = kSource;
  made.lines = {row(8, "global_load_4", 0, 4096), row(8, "shared_store_4", 1024, 0),
                row(10, "shared_load_4", 32'768, 0), row(10, "global_store_4", 0, 4096)};
  made.instructions = {{"turn", "turn.cu", 8, 8000}, {"turn", "turn.cu", 10, 9000}};
  device::LaunchCounts launch;
  launch.kernel = "turn";
  launch.grid = {32, 1, 1};
  launch.block = {32, 32, 1};
  launch.instructions = 17'000;
  made.launches = {launch};
  return made;
}

} // namespace

TEST_CASE("each line has its counts beside its text, and the hottest is marked") {
  const auto text = source_view(profile(), {});
  CHECK(text == "  turn.cu: turn, grid 32, block 32 x 32; 17,000 warp instructions\n"
                "\n"
                "   line  instr    req   wave  confl   sect\n"
                "      6                                    | __global__ void turn(float* out,...\n"
                "      7                                    |   __shared__ float tile[32][32];\n"
                "      8   8.0k   2.0k   1.0k          4.1k |   tile[threadIdx.y][threadIdx.x]...\n"
                "      9                                    |   __syncthreads();\n"
                "  >  10   9.0k   2.0k    33k    32k   4.1k |   out[threadIdx.x] = tile[thread...\n"
                "     11                                    | }\n"
                "     12                                    | // 12\n"
                "\n"
                "  instr: instructions, a warp; req: requests to memory; wave: wavefronts of\n"
                "  shared memory; confl: those that are conflicts; sect: sectors of global\n"
                "  memory. > is the hottest line: most instructions, wavefronts and sectors\n"
                "  together. Times: not measured, for there is no GPU.\n");
}

TEST_CASE("where a neighbour's memory is reached, sectors are said to be of it, too") {
  auto remote = profile();
  remote.lines.push_back(row(10, "dshared_load_4", 0, 1024));
  const auto of_neighbours = [](const Profile& one) {
    return source_view(one, {400, false}).find("of other blocks' shared memory") !=
           std::string::npos;
  };
  CHECK(of_neighbours(remote));
  CHECK_FALSE(of_neighbours(profile()));
}

TEST_CASE("every line fits, and a narrow terminal keeps the conflicts") {
  for (const int width : {100, 80, 60, 50}) {
    CAPTURE(width);
    const auto text = source_view(profile(), {width, false});
    CHECK(text.find("confl") != text.npos);
    for (const auto& line : lines_of(text)) {
      CAPTURE(line);
      CHECK(columns(line) <= static_cast<std::size_t>(width));
    }
  }
}

TEST_CASE("lines of other files are not this file's") {
  auto other = profile();
  for (auto& line : other.lines) line.file = "header.cuh";
  for (auto& line : other.instructions) line.file = "header.cuh";
  CHECK(source_view(other, {}) == "  no line of this file was executed by a kernel\n");
}

TEST_CASE("counts of lines that the file does not have are left out") {
  auto wrong = profile();
  wrong.lines.push_back(row(4'000'000'000, "shared_load_4", 1, 0));
  CHECK(source_view(wrong, {}).find("4000000000") == std::string::npos);
}

TEST_CASE("numbers keep two figures or more in four columns") {
  CHECK(compact(0) == "0");
  CHECK(compact(999) == "999");
  CHECK(compact(1000) == "1.0k");
  CHECK(compact(9949) == "9.9k");
  CHECK(compact(9951) == "10k");
  CHECK(compact(65'536) == "66k");
  CHECK(compact(999'499) == "999k");
  CHECK(compact(999'500) == "1.0M");
  CHECK(compact(~0ull).size() <= 6);
}

} // namespace course::report

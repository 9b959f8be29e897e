// What a program meets under `course run`: the rates of twenty-one kernels by kind, in
// warp-instructions a second of processor time on one core, with all checks and without.
//
//   bench_programs                        one column
//   bench_programs --before OTHER         this build beside OTHER, the bench_programs of another
//   one bench_programs --before OTHER merge   of the kernels with this in their names
//
// Each kernel is executed by a process of its own, by both builds in turn, and the best of several
// rounds counts: the machine may be doing other things, but it does them to both. What was observed
// (counts by line, findings, results) has to be the same in both.
#include "device/emulator/test_run.hpp"
#include "device/model/counted.hpp"
#include "device/model/tensor_map.hpp"
#include "system/file.hpp"
#include "system/shell.hpp"

#include <fmt/format.h>

#include <cstdio>
#include <ctime>
#include <filesystem>
#include <functional>
#include <random>
#include <unistd.h>

namespace {

namespace fs = std::filesystem;
using course::emulator::TestRun;

constexpr int kRounds = 3, kTimesARound = 3;

template <typename T>
std::vector<T> numbers(std::size_t count, std::uint32_t below) {
  std::mt19937 drawn(7);
  std::vector<T> all(count);
  for (T& one : all) one = static_cast<T>(drawn() % below);
  return all;
}
std::vector<float> fractions(std::size_t count) {
  auto all = numbers<float>(count, 1000);
  for (float& one : all) one /= 1000;
  return all;
}

// ---- the kernels' buffers and launches

void polynomial(TestRun& run) {
  constexpr int kCount = 1 << 18;
  const auto out = run.buffer("out", std::vector<float>(kCount), false);
  const auto in = run.buffer("in", fractions(kCount));
  run.launch("polynomial", {kCount / 256}, {256}, 0, out, in, kCount);
}
void hashes(TestRun& run) {
  constexpr int kCount = 1 << 17;
  const auto out = run.buffer("out", std::vector<unsigned>(kCount), false);
  run.launch("hashes", {kCount / 256}, {256}, 0, out, kCount);
}
void mandelbrot(TestRun& run) {
  constexpr int kWidth = 512, kHeight = 256;
  const auto out = run.buffer("out", std::vector<int>(kWidth * kHeight), false);
  run.launch("mandelbrot", {kWidth / 16, kHeight / 16}, {16, 16}, 0, out, kWidth, kHeight);
}
void bodies(TestRun& run) {
  constexpr int kCount = 2048;
  const auto force = run.buffer("force", std::vector<float>(4 * kCount), false);
  const auto body = run.buffer("body", fractions(4 * kCount));
  run.launch("bodies", {kCount / 256}, {256}, 0, force, body, kCount);
}
void copy(TestRun& run) {
  constexpr int kCount = 1 << 22;
  const auto out = run.buffer("out", std::vector<float>(kCount), false);
  const auto in = run.buffer("in", fractions(kCount));
  run.launch("copy", {kCount / 256}, {256}, 0, out, in, kCount);
}
void copy_wide(TestRun& run) {
  constexpr int kCount = 1 << 20;
  const auto out = run.buffer("out", std::vector<float>(4 * kCount), false);
  const auto in = run.buffer("in", fractions(4 * kCount));
  run.launch("copy_wide", {512}, {256}, 0, out, in, kCount);
}
void sparse_rows(TestRun& run) {
  constexpr int kRows = 1 << 14, kARow = 24;
  std::vector<int> begin(kRows + 1);
  const auto lengths = numbers<int>(kRows, 2 * kARow);
  for (int row = 0; row < kRows; ++row)
    begin[static_cast<std::size_t>(row) + 1] =
        begin[static_cast<std::size_t>(row)] + lengths[static_cast<std::size_t>(row)];
  const auto entries = static_cast<std::size_t>(begin.back());
  const auto y = run.buffer("y", std::vector<float>(kRows), false);
  const auto value = run.buffer("value", fractions(entries));
  const auto column = run.buffer("column", numbers<int>(entries, kRows));
  const auto from = run.buffer("begin", begin);
  const auto x = run.buffer("x", fractions(kRows));
  run.launch("sparse_rows", {kRows / 256}, {256}, 0, y, value, column, from, x, kRows);
}
void transpose(TestRun& run, const char* kernel) {
  constexpr int kSide = 2048;
  const auto out = run.buffer("out", std::vector<float>(kSide * kSide), false);
  const auto in = run.buffer("in", fractions(kSide * kSide));
  run.launch(kernel, {kSide / 32, kSide / 32}, {32, 8}, 0, out, in, kSide);
}
void product(TestRun& run, const char* kernel, std::uint32_t tile) {
  constexpr int kSide = 256;
  const auto c = run.buffer("c", std::vector<float>(kSide * kSide), false);
  const auto a = run.buffer("a", fractions(kSide * kSide));
  const auto b = run.buffer("b", fractions(kSide * kSide));
  run.launch(kernel, {kSide / tile, kSide / tile}, {tile, tile}, 0, c, a, b, kSide);
}
void histogram(TestRun& run) {
  constexpr int kCount = 1 << 21;
  const auto out = run.buffer("out", std::vector<int>(256));
  const auto in = run.buffer("in", numbers<unsigned char>(kCount, 256));
  run.launch("histogram", {264}, {256}, 0, out, in, kCount);
}
void bitonic_sort(TestRun& run) {
  constexpr int kBlocks = 128;
  const auto keys = run.buffer("keys", numbers<int>(kBlocks * 1024, 1u << 30));
  run.launch("bitonic_sort", {kBlocks}, {512}, 0, keys);
}
void merge(TestRun& run) {
  constexpr std::uint32_t kBlocks = 128;
  auto keys = numbers<int>(kBlocks * 1024, 1u << 30);
  for (auto half = keys.begin(); half != keys.end(); half += 512) std::sort(half, half + 512);
  const auto out = run.buffer("out", std::vector<int>(keys.size()), false);
  const auto in = run.buffer("in", keys);
  run.launch("merge", {kBlocks}, {1024}, 0, out, in);
}
void reduction(TestRun& run) {
  constexpr int kCount = 1 << 21;
  const auto out = run.buffer("out", std::vector<float>(1024), false);
  const auto in = run.buffer("in", fractions(kCount));
  run.launch("reduction", {1024}, {256}, 0, out, in, kCount);
}
void scan(TestRun& run) {
  constexpr std::uint32_t kBlocks = 1024;
  const auto out = run.buffer("out", std::vector<int>(kBlocks * 512), false);
  const auto in = run.buffer("in", numbers<int>(kBlocks * 512, 100));
  run.launch("scan", {kBlocks}, {256}, 0, out, in);
}
void stencil(TestRun& run) {
  constexpr int kSide = 1024;
  const auto out = run.buffer("out", std::vector<float>(kSide * kSide), false);
  const auto in = run.buffer("in", fractions(kSide * kSide));
  run.launch("stencil", {kSide / 16, kSide / 16}, {16, 16}, 0, out, in, kSide);
}
void shuffles(TestRun& run) {
  constexpr int kCount = 1 << 21;
  const auto out = run.buffer("out", std::vector<float>(8192), false);
  const auto in = run.buffer("in", fractions(kCount));
  run.launch("shuffles", {1024}, {256}, 0, out, in, kCount);
}
void tensor_product(TestRun& run) {
  constexpr int kSide = 512;
  constexpr std::uint16_t kOne = 0x3c00; // 1.0 in 16 bits
  const auto c = run.buffer("c", std::vector<float>(kSide * kSide), false);
  const auto a = run.buffer("a", std::vector<std::uint16_t>(kSide * kSide, kOne));
  const auto b = run.buffer("b", std::vector<std::uint16_t>(kSide * kSide, kOne));
  run.launch("tensor_product", {kSide / 64, kSide / 16}, {128}, 0, c, a, b, kSide);
}
// solutions/11_async_memory/6_ladder.cu: a ring of four stages that tensor maps fill.
void warpgroups(TestRun& run) {
  constexpr int kSide = 512;
  constexpr std::uint32_t kRows = 128, kCols = 256, kStep = 64, kStages = 4;
  struct alignas(64) Map {
    course::model::TensorMapBytes bytes;
  };
  const auto numbers_of = [&](const char* name) { // whole numbers below 8, in bf16
    auto all = numbers<std::uint16_t>(kSide * kSide, 8);
    constexpr std::uint16_t kBf16[] = {0, 0x3f80, 0x4000, 0x4040, 0x4080, 0x40a0, 0x40c0, 0x40e0};
    for (auto& one : all) one = kBf16[one];
    return run.buffer(name, all);
  };
  const auto map_of = [](course::device::Address matrix, std::uint32_t rows) {
    course::model::TensorMap map;
    map.address = matrix;
    map.rank = 2;
    map.element = 2;
    map.size = {kSide, kSide};
    map.stride = {2, 2 * kSide};
    map.box = {kStep, rows};
    map.swizzle = course::model::Swizzle::bytes_128;
    return Map{course::model::encoded(map)};
  };
  const auto c = run.buffer("c", std::vector<float>(kSide * kSide), false);
  const auto a = map_of(numbers_of("a"), kRows), b = map_of(numbers_of("b"), kCols);
  run.launch("multiply_tiles", {kSide / kRows * (kSide / kCols)}, {384},
             kStages * ((kRows + kCols) * 2 * kStep + 16), a, b, c, kSide, kSide, kSide);
}
void count_words(TestRun& run) {
  constexpr int kCount = 1 << 20;
  const auto out = run.buffer("out", std::vector<int>(4096));
  const auto in = run.buffer("in", numbers<int>(kCount, 1u << 30));
  run.launch("count_words", {264}, {256}, 0, out, in, kCount);
}

constexpr const char *kPrograms = "programs", *kLadder = "ladder";
constexpr std::pair<const char*, const char*> kSources[] = {
    {kPrograms, "bench/programs.cu"}, {kLadder, "solutions/11_async_memory/6_ladder.cu"}};

struct Case {
  const char *kind, *name;
  std::function<void(TestRun&)> prepare;
  const char* source = kPrograms;
};
const std::vector<Case>& cases() {
  static const std::vector<Case> all{
      {"arithmetic", "polynomials", polynomial},
      {"arithmetic", "hashes of integers", hashes},
      {"arithmetic", "Mandelbrot set", mandelbrot},
      {"arithmetic", "bodies, by tiles", bodies},
      {"copies", "copy", copy},
      {"copies", "copy, 16 bytes a lane", copy_wide},
      {"copies", "sparse matrix, a row a lane", sparse_rows},
      {"shared", "transpose", [](TestRun& run) { transpose(run, "transpose<0>"); }},
      {"shared", "transpose, padded", [](TestRun& run) { transpose(run, "transpose<1>"); }},
      {"shared", "product, tiles of 16", [](TestRun& run) { product(run, "product<16>", 16); }},
      {"shared", "product, tiles of 32", [](TestRun& run) { product(run, "product<32>", 32); }},
      {"shared", "histogram, by atomics", histogram},
      {"shared", "bitonic sort", bitonic_sort},
      {"shared", "merge, by searching", merge},
      {"shared", "reduction", reduction},
      {"shared", "scan, up and down a tree", scan},
      {"shared", "stencil, tiles of 16", stencil},
      {"warps", "sums by shuffles", shuffles},
      {"warps", "product, by tensor cores", tensor_product},
      {"warps", "product, by warpgroups", warpgroups, kLadder},
      {"atomics", "counts in global memory", count_words}};
  return all;
}

// ---- one kernel, in a process of its own

double processor_seconds() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

// Of whatever was observed, in a number (FNV-1a).
class Digest {
public:
  void add(const void* bytes, std::size_t size) {
    for (std::size_t i = 0; i < size; ++i)
      value_ = (value_ ^ static_cast<const unsigned char*>(bytes)[i]) * 0x100000001b3u;
  }
  void add(const std::string& text) { add(text.data(), text.size() + 1); }
  template <typename... Numbers>
  void add_numbers(const Numbers&... each) {
    (add(&each, sizeof each), ...);
  }
  std::uint64_t value() const { return value_; }

private:
  std::uint64_t value_ = 0xcbf29ce484222325u;
};

std::uint64_t digest_of(const course::device::Observation& seen) {
  Digest digest;
  digest.add(course::device::spelled(seen.reason));
  for (const auto& line : seen.lines) {
    digest.add(line.file + line.kernel + name_of(line.kind) + line.array);
    digest.add_numbers(line.line);
    course::model::for_each_count(line,
                                  [&](auto, std::uint64_t number) { digest.add_numbers(number); });
    digest.add_numbers(line.ways, line.width_from_sass, line.at_least);
    digest.add_numbers(line.worst.block, line.worst.warp, line.worst.active, line.worst.width,
                       line.worst.offset);
  }
  for (const auto& one : seen.launches)
    digest.add_numbers(one.instructions, one.barriers, one.shuffles, one.divergent_branches);
  for (const auto& finding : seen.findings) {
    digest.add(course::device::spelled(finding.message) + finding.kernel + finding.file);
    digest.add_numbers(finding.kind, finding.meeting, finding.line, finding.other_line,
                       finding.block, finding.thread, finding.count);
  }
  for (const auto& bytes : seen.buffers) digest.add(bytes.data(), bytes.size());
  return digest.value();
}

// Prints instructions, seconds and a digest of what was observed.
int execute(const fs::path& folder, const Case& one, bool checks) {
  const std::string source = one.source;
  TestRun run(course::emulator::read_file(folder / (source + ".ptx")));
  const auto cubin = course::emulator::read_file(folder / (source + ".cubin"));
  const auto* bytes = reinterpret_cast<const std::byte*>(cubin.data());
  run.job.modules[0].cubin.assign(bytes, bytes + cubin.size());
  one.prepare(run);
  const auto device = course::emulator::make_device({1, checks});
  double best = 1e9;
  std::uint64_t instructions = 0, digest = 0;
  for (int i = 0; i < kTimesARound; ++i) {
    const double begin = processor_seconds();
    const auto seen = device->execute(run.job);
    best = std::min(best, processor_seconds() - begin);
    if (seen.status != course::device::Observation::Status::completed) {
      fmt::print(stderr, "{}\n", course::device::spelled(seen.reason));
      return 1;
    }
    instructions = seen.launches.at(0).instructions;
    digest = digest_of(seen);
  }
  fmt::print("{} {} {}\n", instructions, best, digest);
  return 0;
}

// ---- all of them

struct Rate {
  std::uint64_t instructions = 0, digest = 0;
  double seconds = 1e9;

  std::string text() const {
    return instructions == 0
               ? "-"
               : fmt::format("{:.1f}", static_cast<double>(instructions) / seconds / 1e6);
  }
};

// Another build's program may not know the kernel: then its rate stays empty.
void measure(Rate& rate, const std::string& program, const fs::path& folder, const Case& one,
             bool checks) {
  const auto ran = course::system::run_in_shell(
      fmt::format("'{}' --one '{}' '{}' {}", program, folder.string(), one.name, checks ? 1 : 0));
  Rate now;
  if (std::sscanf(ran.text.c_str(), "%lu %lf %lu", &now.instructions, &now.seconds, &now.digest) !=
      3)
    return;
  rate.instructions = now.instructions;
  rate.digest = now.digest;
  rate.seconds = std::min(rate.seconds, now.seconds);
}

bool compile(const fs::path& folder) {
  const auto made = [&](const char* source, const std::string& flags, const std::string& name) {
    const auto command =
        fmt::format("'" COURSE_NVCC "' -lineinfo {} -o '{}' '" COURSE_SOURCE_DIR "/{}' >&2", flags,
                    (folder / name).string(), source);
    return course::system::run_in_shell(command).code == 0;
  };
  bool all = true;
  for (const auto& [name, source] : kSources) {
    const std::string kind = name == kLadder ? "90a" : "90";
    all = all && made(source, "-arch=compute_" + kind + " --ptx", std::string(name) + ".ptx") &&
          made(source, "-arch=sm_" + kind + " --cubin", std::string(name) + ".cubin");
  }
  return all;
}

void compare(const std::string& self, const std::string& before, const std::string& wanted,
             const fs::path& folder) {
  fmt::print("{:<12}{:<30}{:>14}{}{:>10}{:>18}\n", "kind", "kernel", "instructions",
             before.empty() ? "" : fmt::format("{:>12}", "before, M/s"), "M/s", "unchecked, M/s");
  for (const Case& one : cases()) {
    if (std::string(one.name).find(wanted) == std::string::npos) continue;
    Rate old, now, unchecked;
    for (int round = 0; round < kRounds; ++round) {
      if (!before.empty()) measure(old, before, folder, one, true);
      measure(now, self, folder, one, true);
      measure(unchecked, self, folder, one, false);
    }
    const bool differs = old.instructions != 0 && old.digest != now.digest;
    fmt::print("{:<12}{:<30}{:>14}{}{:>10}{:>18}{}\n", one.kind, one.name, now.instructions,
               before.empty() ? "" : fmt::format("{:>12}", old.text()), now.text(),
               unchecked.text(), differs ? "   NOT THE SAME COUNTS, FINDINGS OR RESULTS" : "");
    std::fflush(stdout);
  }
}

} // namespace

int main(int count, char** arguments) {
  const std::vector<std::string> given(arguments + 1, arguments + count);
  if (given.size() == 4 && given[0] == "--one") {
    for (const Case& one : cases())
      if (one.name == given[2]) return execute(given[1], one, given[3] == "1");
    return 1;
  }
  std::string before, wanted;
  for (std::size_t i = 0; i < given.size(); ++i) {
    if (given[i] == "--before" && i + 1 < given.size())
      before = fs::absolute(given[++i]).string();
    else
      wanted = given[i];
  }
  std::string pattern = (fs::temp_directory_path() / "bench_programs_XXXXXX").string();
  if (!mkdtemp(pattern.data()) || !compile(pattern)) {
    fmt::print(stderr, "bench_programs: nvcc could not compile bench/programs.cu\n");
    return 1;
  }
  compare(fs::read_symlink("/proc/self/exe").string(), before, wanted, pattern);
  fs::remove_all(pattern);
}

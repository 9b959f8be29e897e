// transpose FATBIN KERNEL: executes a kernel of tiles.cu on an emulated H200 and prints what each
// line asks of memory. Exit code 1: something is wrong with the kernel; 2: it was not executed.
#include <shared_memory_emulator.hpp>

#include <cstdio>
#include <cstring>
#include <fstream>
#include <iterator>

namespace gpu = course::emulated;

int main(int count, char** words) try {
  if (count != 3) throw gpu::Error("usage: transpose FATBIN KERNEL");
  std::ifstream file(words[1], std::ios::binary);
  const std::string bytes{std::istreambuf_iterator<char>(file), {}};
  const auto module = gpu::Module::from_fatbin(std::as_bytes(std::span(bytes)));

  std::vector<float> in(32 * 32), out(in.size());
  for (std::size_t i = 0; i < in.size(); ++i) in[i] = static_cast<float>(i);
  gpu::Gpu h200;
  const auto from = h200.allocate(in.size() * sizeof(float), "in");
  const auto to = h200.allocate(out.size() * sizeof(float), "out");
  h200.write(from, std::as_bytes(std::span(in)));

  const gpu::Launch launch{.kernel = words[2], .grid = {}, .block = {32, 32}};
  const auto result = h200.launch(module, launch, to, from);
  for (const auto& line : result.lines)
    std::printf("line %u: %s, %lu requests, %lu bank conflicts%s\n", line.line, line.access.c_str(),
                line.requests, line.bank_conflicts, line.exact ? "" : " (not exact)");
  for (const auto& found : result.findings)
    std::printf("line %u: %s\n", found.line, found.words.c_str());

  const auto copied = h200.read(to, out.size() * sizeof(float));
  std::memcpy(out.data(), copied.data(), copied.size());
  bool right = true;
  for (std::size_t i = 0; i < out.size(); ++i) right = right && out[i] == in[i % 32 * 32 + i / 32];
  std::printf("%s: %lu bank conflicts, %s\n", words[2], result.bank_conflicts,
              right ? "transposed" : "not transposed");
  return result.clean() && right ? 0 : 1;
} catch (const gpu::Error& error) {
  std::fprintf(stderr, "%s\n", error.what());
  return 2;
}

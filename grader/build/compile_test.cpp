// One file, though long: all of its cases compile by the same few words, with nvcc.
#include "compile.hpp"

#include "elf/elf_file.hpp"
#include "system/file.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstring>
#include <fstream>
#include <thread>
#include <unistd.h>

namespace course::build {
namespace {

namespace fs = std::filesystem;
using Reason = Rejected::Reason;

constexpr const char* kSource =
    R"(__global__ void transpose_tile(float* out, const float* in, int n) {
  __shared__ float tile[32][33];
  tile[threadIdx.y][threadIdx.x] = in[threadIdx.y * n + threadIdx.x];
  __syncthreads();
  out[threadIdx.y * n + threadIdx.x] = tile[threadIdx.x][threadIdx.y];
}
void transpose(float* out, const float* in, int n) {
  transpose_tile<<<1, dim3(32, 32)>>>(out, in, n);
}
)";

// A student's folder and a cache, removed afterwards.
class Desk {
public:
  Desk() {
    char name[] = "/tmp/course-compile-test-XXXXXX";
    base_ = mkdtemp(name);
    fs::permissions(base_, fs::perms(0755)); // for the last rung of the sandbox, as root
    fs::create_directory(base_ / "student's files");
    options.cache = base_ / "cache of results";
  }
  ~Desk() { fs::remove_all(base_); }

  fs::path file(const std::string& name, const std::string& text) const {
    fs::path path = base_ / "student's files" / name;
    std::ofstream(path, std::ios::binary) << text;
    return path;
  }

  Options options;

private:
  fs::path base_;
};

// CTest takes a test that prints this for skipped.
std::optional<Toolkit> toolkit() {
  auto found = find_toolkit();
  if (!found) MESSAGE("no nvcc on this machine");
  return found;
}

Compiled compiled(const Toolkit& toolkit, const fs::path& source, const Options& options) {
  auto result = compile(toolkit, source, options);
  if (const auto* rejected = std::get_if<Rejected>(&result)) FAIL(rejected->text);
  return std::move(std::get<Compiled>(result));
}

Rejected rejected(const Toolkit& toolkit, const fs::path& source, const Options& options) {
  auto result = compile(toolkit, source, options);
  REQUIRE(std::holds_alternative<Rejected>(result));
  return std::get<Rejected>(result);
}

bool holds(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

} // namespace

TEST_CASE("a source becomes a library with PTX, a cubin and its functions, once") {
  const auto nvcc = toolkit();
  if (!nvcc) return;
  const Desk desk;
  const fs::path source = desk.file("2_pad.cu", kSource);
  const Compiled first = compiled(*nvcc, source, desk.options);
  CHECK_FALSE(first.from_cache);
  CHECK(first.seconds > 0);
  CHECK(first.warnings == "");
  CHECK(first.functions == std::vector<std::string>{"transpose(float*, float const*, int)"});
  REQUIRE(first.modules.size() == 1);
  const device::Module& module = first.modules[0];
  CHECK(holds(module.ptx, ".target sm_90"));
  CHECK(holds(module.ptx, ".entry _Z14transpose_tilePfPKfi"));
  CHECK(holds(module.ptx, "\"2_pad.cu\""));
  CHECK_FALSE(holds(module.ptx, desk.options.cache));
  const elf::File cubin(module.cubin);
  CHECK(cubin.machine() == 190);
  CHECK(cubin.find(".nv_debug_line_sass"));

  // The runtime can be replaced: it is needed as a library, by versioned names.
  const std::string bytes = *system::content_of(first.library);
  const elf::File library(std::as_bytes(std::span(bytes)));
  const auto symbols = library.dynamic_symbols();
  const auto launch = std::ranges::find(symbols, "__cudaLaunchKernel", &elf::Symbol::name);
  REQUIRE(launch != symbols.end());
  CHECK_FALSE(launch->defined());
  CHECK(holds(bytes, "libcudart.so.13"));

  const Compiled second = compiled(*nvcc, source, desk.options);
  CHECK(second.from_cache);
  CHECK(second.seconds == 0);
  CHECK(second.library == first.library);
  CHECK(second.functions == first.functions);
  CHECK(second.modules.at(0).ptx == module.ptx);
  CHECK(second.modules.at(0).cubin == module.cubin);
}

TEST_CASE("what nvcc brings for lambdas is there for a file that turns out to need it") {
  const auto nvcc = toolkit();
  if (!nvcc) return;
  const Desk desk;
  const std::string apply =
      "template <class F>\n__global__ void apply(F f, int* p) { p[0] = f(1); }\n";
  const std::string lambda = apply +
                             "void launch(int* p) {\n"
                             "  apply<<<1, 1>>>([] __device__(int i) { return i + 1; }, p);\n}\n";
  CHECK(compiled(*nvcc, desk.file("lambda.cu", lambda), desk.options).modules.size() == 1);
  CHECK(compiled(*nvcc, desk.file("lambda.cu", lambda), desk.options).from_cache);
  const auto rejected =
      compile(*nvcc, desk.file("wrong.cu", "void f() { none(); }\n"), desk.options);
  REQUIRE(std::holds_alternative<Rejected>(rejected));
  CHECK(holds(std::get<Rejected>(rejected).text, "\"none\" is undefined"));
}

TEST_CASE("a call that <cuda/ptx> has for one architecture alone is compiled for that one") {
  const auto nvcc = toolkit();
  if (!nvcc) return;
  const Desk desk;
  const auto file = desk.file("multicast.cu",
                              "#include "
                              "<cuda/ptx>\n"
                              "namespace ptx = cuda::ptx;\n"
                              "__global__ void k(float* to, const float* from, uint64_t* full) {\n"
                              "  ptx::cp_async_bulk(ptx::space_cluster, ptx::space_global, to,\n"
                              "                     from, 16, full, uint16_t(3));\n"
                              "}\n");
  for (const bool again : {false, true}) {
    const auto result = compiled(*nvcc, file, desk.options);
    CHECK(result.from_cache == again);
    REQUIRE(result.modules.size() == 1);
    CHECK(holds(result.modules[0].ptx, ".target sm_90a"));
  }
}

TEST_CASE("the same text gives the same bytes, and the same PTX on every rung of the sandbox") {
  const auto nvcc = toolkit();
  if (!nvcc) return;
  Desk desk;
  const fs::path source = desk.file("2_pad.cu", kSource);
  const auto made_anew = [&] {
    fs::remove_all(desk.options.cache);
    return compiled(*nvcc, source, desk.options);
  };
  const auto first = made_anew();
  const std::string bytes = *system::content_of(first.library);
  CHECK((*system::content_of(made_anew().library) == bytes));
  for (const auto rung :
       {sandbox::Rung::bubblewrap, sandbox::Rung::landlock, sandbox::Rung::process}) {
    if (!sandbox::available(rung)) continue;
    INFO(sandbox::name(rung));
    desk.options.rung = rung; // its folder, which the library names, has another name
    const auto again = made_anew();
    CHECK((again.modules.at(0).ptx == first.modules.at(0).ptx));
    CHECK(again.functions == first.functions);
  }
}

TEST_CASE("another text, name or flag is another library, and a damaged one is made again") {
  const auto nvcc = toolkit();
  if (!nvcc) return;
  Desk desk;
  desk.options.device_only = true; // in a third of the time
  const fs::path source = desk.file("a.cu", kSource);
  const Compiled first = compiled(*nvcc, source, desk.options);
  CHECK_FALSE(
      compiled(*nvcc, desk.file("a.cu", std::string("\n") + kSource), desk.options).from_cache);
  CHECK_FALSE(compiled(*nvcc, desk.file("b.cu", kSource), desk.options).from_cache);
  desk.options.flags = {"-DX"};
  CHECK_FALSE(compiled(*nvcc, desk.file("a.cu", kSource), desk.options).from_cache);
  desk.options.flags.clear();
  CHECK(compiled(*nvcc, source, desk.options).from_cache);
  for (const auto& artifact : fs::directory_iterator(desk.options.cache / "artifacts"))
    fs::resize_file(artifact, 100);
  CHECK_FALSE(compiled(*nvcc, source, desk.options).from_cache);
}

TEST_CASE("device code alone has the same modules and no library") {
  const auto nvcc = toolkit();
  if (!nvcc) return;
  Desk desk;
  desk.options.device_only = true;
  const Compiled result = compiled(*nvcc, desk.file("2_pad.cu", kSource), desk.options);
  CHECK(result.library.empty());
  CHECK(result.functions.empty());
  REQUIRE(result.modules.size() == 1);
  CHECK(holds(result.modules[0].ptx, "\"2_pad.cu\""));
  CHECK_FALSE(result.modules[0].cubin.empty());
}

TEST_CASE("names that only a file knows are the same in its device code and in its library") {
  const auto nvcc = toolkit();
  if (!nvcc) return;
  const Desk desk;
  const Compiled result = compiled(*nvcc, desk.file("names.cu", R"(
namespace { struct Own {}; __global__ void first() {} template <class T> __global__ void second() {} }
static __global__ void third() {}
static __device__ int counter;
void f(int n) {
  first<<<1, 1>>>(), second<Own><<<1, 1>>>(), third<<<1, 1>>>();
  cudaMemcpyToSymbol(counter, &n, 4);
}
)"),
                                   desk.options);
  REQUIRE(result.modules.size() == 1);
  const std::string library = *system::content_of(result.library);
  const std::string& ptx = result.modules[0].ptx;
  constexpr std::string_view kEntry = ".entry ";
  int entries = 0;
  for (std::size_t at = 0; (at = ptx.find(kEntry, at)) != ptx.npos; ++entries) {
    at += kEntry.size();
    const std::string name = ptx.substr(at, ptx.find('(', at) - at);
    INFO(name);
    // Beside the PTX and the machine code: the string by which host code registers it.
    CHECK(holds(library, std::string(1, '\0').append(name).append(1, '\0')));
  }
  CHECK(entries == 3);
}

TEST_CASE("device code that nvcc did not make of the file is refused by name") {
  const auto nvcc = toolkit();
  if (!nvcc) return;
  const Desk desk;
  for (const char* more :
       {"asm(\".section .nv_fatbin, \\\"a\\\"\\n.quad 17\\n.text\");\n",
        "asm(\".section .nv_fatbin, \\\"a\\\"\\n.quad 0x00100001ba55ed50, 0\\n.text\");\n",
        "__attribute__((section(\".nv_fatbin\"), used)) const int words[] = {1, 2};\n"}) {
    INFO(more);
    const Rejected result =
        rejected(*nvcc, desk.file("a.cu", more + std::string(kSource)), desk.options);
    CHECK(result.reason == Reason::diagnostics);
    CHECK(holds(result.text, "device code that nvcc did not make of this file"));
  }
}

TEST_CASE("an empty file is a library without functions or kernels") {
  const auto nvcc = toolkit();
  if (!nvcc) return;
  const Desk desk;
  const Compiled result = compiled(*nvcc, desk.file("empty.cu", ""), desk.options);
  CHECK(result.functions.empty());
  for (const auto& module : result.modules) CHECK_FALSE(holds(module.ptx, ".entry"));
}

TEST_CASE("nvcc's own words name the student's file and line, and no folder of ours") {
  const auto nvcc = toolkit();
  if (!nvcc) return;
  const Desk desk;
  const Rejected result =
      rejected(*nvcc, desk.file("2_pad.cu", "__global__ void k() {\n  y = 1;\n}\n"), desk.options);
  CHECK(result.reason == Reason::diagnostics);
  CHECK(result.text.starts_with("2_pad.cu(2): error: identifier \"y\" is undefined\n"));
  CHECK_FALSE(holds(result.text, "/tmp"));
}

TEST_CASE("a function that is called and never defined is a message, not a broken library") {
  const auto nvcc = toolkit();
  if (!nvcc) return;
  const Desk desk;
  const Rejected result =
      rejected(*nvcc, desk.file("a.cu", "void f();\nvoid g() { f(); }\n"), desk.options);
  CHECK(result.reason == Reason::diagnostics);
  CHECK(holds(result.text, "a.cu:"));
  CHECK(holds(result.text, "undefined reference to `f()'"));
  CHECK_FALSE(holds(result.text, "tmpxft"));
  CHECK_FALSE(holds(result.text, "/tmp"));
}

TEST_CASE("what the source names outside the system is not there when it is compiled") {
  const auto nvcc = toolkit();
  if (!nvcc) return;
  if (sandbox::best_rung() == sandbox::Rung::process) return; // hides nothing
  const Desk desk;
  const fs::path secret = desk.file("solution.cu", "// the secret words\n");
  for (const std::string& source :
       {"#include \"" + secret.string() + "\"\n", std::string("#include \"solution.cu\"\n"),
        std::string("#include \"/etc/passwd\"\n"), std::string("#include \"missing.h\"\n"),
        "asm(\".incbin \\\"" + secret.string() + "\\\"\");\n"}) {
    const Rejected result = rejected(*nvcc, desk.file("a.cu", source), desk.options);
    CHECK(result.reason == Reason::diagnostics);
    CHECK_FALSE(holds(result.text, "secret words"));
    CHECK_FALSE(holds(result.text, "root:"));
  }
}

TEST_CASE("what was compiled without a sandbox is not found by who asks for one") {
  const auto nvcc = toolkit();
  if (!nvcc) return;
  Desk desk;
  desk.options.device_only = true;
  const fs::path secret = desk.file("solution.cu", kSource);
  const fs::path source = desk.file("a.cu", "#include \"" + secret.string() + "\"\n");
  desk.options.rung = sandbox::Rung::process;
  compiled(*nvcc, source, desk.options);
  CHECK(compiled(*nvcc, source, desk.options).from_cache);
  for (const auto rung : {sandbox::Rung::bubblewrap, sandbox::Rung::landlock}) {
    if (!sandbox::available(rung)) continue;
    INFO(sandbox::name(rung));
    desk.options.rung = rung;
    CHECK(rejected(*nvcc, source, desk.options).reason == Reason::diagnostics);
  }
}

TEST_CASE("escape sequences in a message are taken out") {
  const auto nvcc = toolkit();
  if (!nvcc) return;
  const Desk desk;
  const Rejected result =
      rejected(*nvcc, desk.file("a.cu", "#error \x1b[2J\xff x\n"), desk.options);
  CHECK(holds(result.text, "a.cu:1:2: error"));
  CHECK_FALSE(holds(result.text, "\x1b"));
  CHECK_FALSE(holds(result.text, "\xff"));
}

TEST_CASE("a file name that a shell or nvcc would misread is used in messages only") {
  const auto nvcc = toolkit();
  if (!nvcc) return;
  Desk desk;
  desk.options.device_only = true;
  for (const std::string name : {"-o x.cu", "$(touch y).cu", "a \"b\".cu", "name"}) {
    const Compiled result = compiled(*nvcc, desk.file(name, kSource), desk.options);
    CHECK(holds(result.modules.at(0).ptx, "\"" + name + "\""));
  }
  CHECK(rejected(*nvcc, desk.file("-o x.cu", "int x = ;"), desk.options)
            .text.starts_with("-o x.cu(1): error"));
}

TEST_CASE("a compilation without end is ended at the limit that it meets, and leaves nothing") {
  const auto nvcc = toolkit();
  if (!nvcc) return;
  Desk desk;
  std::string macros = "#define A0 x\n";
  for (int i = 1; i < 9; ++i) {
    const std::string last = " A" + std::to_string(i - 1);
    macros += "#define A" + std::to_string(i);
    for (int copies = 0; copies < 10; ++copies) macros += last;
    macros += "\n";
  }
  const fs::path bomb = desk.file("bomb.cu", macros + "int v = A8;\n");
  desk.options.limits.wall = std::chrono::milliseconds(500);
  CHECK(rejected(*nvcc, bomb, desk.options).reason == Reason::timed_out);
  desk.options.limits = compiler_limits();
  desk.options.limits.memory = 300 << 20;
  CHECK(rejected(*nvcc, bomb, desk.options).reason == Reason::out_of_memory);
  desk.options.limits = compiler_limits();
  desk.options.limits.file_size = 1 << 20;
  const fs::path large = desk.file("large.cu", "__device__ int a[1 << 20] = {1};\n");
  CHECK(rejected(*nvcc, large, desk.options).reason == Reason::too_large);
  desk.options.limits.output = 10'000;
  const fs::path endless = desk.file("endless.cu", "#include __FILE__\n#include __FILE__\n");
  CHECK(rejected(*nvcc, endless, desk.options).reason == Reason::too_large);
  for (const auto& entry : fs::directory_iterator(desk.options.cache / "work"))
    CHECK(entry.path().extension() == ".lock");
  CHECK(fs::is_empty(desk.options.cache / "artifacts"));
}

TEST_CASE("what is no ordinary file of a reasonable size is refused before nvcc sees it") {
  const auto nvcc = toolkit();
  if (!nvcc) return;
  const Desk desk;
  const fs::path real = desk.file("real.cu", kSource);
  CHECK(rejected(*nvcc, real.parent_path() / "no.cu", desk.options).reason == Reason::unreadable);
  CHECK(rejected(*nvcc, real.parent_path(), desk.options).reason == Reason::unreadable);
  fs::create_symlink("real.cu", real.parent_path() / "link.cu");
  const Rejected link = rejected(*nvcc, real.parent_path() / "link.cu", desk.options);
  CHECK(link.reason == Reason::unreadable);
  CHECK(link.text == "it is a symbolic link; put the file itself in its place");
  CHECK(rejected(*nvcc, desk.file("large.cu", std::string(2 << 20, ' ')), desk.options).reason ==
        Reason::too_large);
}

TEST_CASE("a toolkit that cannot be run is no compiler") {
  const auto nvcc = toolkit();
  if (!nvcc) return;
  const Desk desk;
  Toolkit broken = *nvcc;
  broken.nvcc = "/does/not/exist/nvcc";
  CHECK(rejected(broken, desk.file("a.cu", kSource), desk.options).reason == Reason::no_compiler);
}

TEST_CASE("the same file compiled twice at once is compiled once") {
  const auto nvcc = toolkit();
  if (!nvcc) return;
  Desk desk;
  desk.options.device_only = true;
  const fs::path source = desk.file("a.cu", kSource);
  std::vector<std::thread> threads;
  threads.reserve(3);
  std::vector<std::variant<Compiled, Rejected>> results(3);
  for (auto& result : results)
    threads.emplace_back([&] { result = compile(*nvcc, source, desk.options); });
  for (auto& thread : threads) thread.join();
  const auto made = std::ranges::count_if(
      results, [](const auto& result) { return !std::get<Compiled>(result).from_cache; });
  CHECK(made == 1);
}

TEST_CASE("a cache that cannot be written is an exception") {
  const auto nvcc = toolkit();
  if (!nvcc) return;
  Desk desk;
  const fs::path source = desk.file("a.cu", kSource);
  desk.options.cache = source / "cache"; // below a file
  CHECK_THROWS_AS(compile(*nvcc, source, desk.options), fs::filesystem_error);
}

} // namespace course::build

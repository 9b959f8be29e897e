#include "runtime/program_file.hpp"

#include <doctest/doctest.h>

#include <fstream>
#include <iterator>
#include <unistd.h>
#include <vector>

namespace course::runtime {
namespace {

namespace fs = std::filesystem;

struct Folder {
  fs::path path = fs::temp_directory_path() / ("program_file_" + std::to_string(getpid()));
  Folder() { fs::create_directory(path); }
  ~Folder() { fs::remove_all(path); }

  fs::path write(const std::string& name, const std::string& text, bool executable = true) const {
    std::ofstream(path / name, std::ios::binary) << text;
    if (executable) fs::permissions(path / name, fs::perms::owner_all);
    return path / name;
  }
};

NotFound::Why why(const std::variant<fs::path, NotFound>& found) {
  REQUIRE(std::holds_alternative<NotFound>(found));
  return std::get<NotFound>(found).why;
}

NotRunnable::Why why(const std::optional<NotRunnable>& found) {
  REQUIRE(found);
  return found->why;
}

std::string small_program() {
  std::ifstream stream("/bin/true", std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

// The first such library name in the program's bytes, as another of the same length.
std::string renamed(std::string program, const std::string& from, const std::string& to) {
  REQUIRE(from.size() == to.size());
  const auto at = program.find('\0' + from + '\0');
  REQUIRE(at != program.npos);
  return program.replace(at + 1, to.size(), to);
}

} // namespace

TEST_CASE("a program is found as a shell finds it") {
  const Folder folder;
  const auto program = folder.write("prog", "#!/bin/sh\n");
  const auto path = "/nowhere:" + folder.path.string();
  CHECK(std::get<fs::path>(find_program(program, "")) == program);
  CHECK(std::get<fs::path>(find_program("prog", path)) == program);
  CHECK(why(find_program("prog", "/nowhere")) == NotFound::Why::not_in_path);
}

TEST_CASE("what is no program is told apart, and its name is plain text") {
  const Folder folder;
  const auto data = folder.write("data", "1 2 3", false);
  CHECK(why(find_program(folder.path / "none", "")) == NotFound::Why::no_file);
  CHECK(why(find_program(folder.path.string() + "/", "")) == NotFound::Why::folder);
  CHECK(why(find_program(data, "")) == NotFound::Why::not_executable);
  CHECK(std::get<NotFound>(find_program("a\033[2J", "")).typed.find('\033') == std::string::npos);
}

TEST_CASE("a script and a damaged program are not run") {
  const Folder folder;
  using Why = NotRunnable::Why;
  CHECK(why(why_not_runnable(folder.write("script", "#!/bin/sh\n"), folder.path,
                             model::default_gpu())) == Why::not_compiled);
  CHECK(why(why_not_runnable(folder.write("empty", ""), folder.path, model::default_gpu())) ==
        Why::not_compiled);
  CHECK(why(why_not_runnable(folder.write("short", "\177ELF"), folder.path,
                             model::default_gpu())) == Why::damaged);
  CHECK(why(why_not_runnable(folder.write("cut", small_program().substr(0, 500)), folder.path,
                             model::default_gpu())) == Why::damaged);
}

TEST_CASE("a program without CUDA can be tried, one that needs a GPU's libraries cannot") {
  const Folder folder;
  const auto program = small_program();
  CHECK_FALSE(why_not_runnable(folder.write("plain", program), folder.path, model::default_gpu()));
  const auto driver = renamed(program, "libc.so.6", "libnpp.so");
  const auto needs =
      why_not_runnable(folder.write("npp", driver), folder.path, model::default_gpu());
  CHECK(why(needs) == NotRunnable::Why::needs_gpu);
  CHECK(needs->what == "libnpp.so");
}

TEST_CASE("no byte of a program's header makes the check crash") {
  const Folder folder;
  auto program = small_program();
  const auto table = program.size() - 64 * 20; // section headers are at the end
  for (std::size_t at : {16u, 18u, 40u, 44u, 58u, 60u, 62u}) {
    auto damaged = program;
    damaged[at] = '\xff';
    damaged[at + 1] = '\xff';
    why_not_runnable(folder.write("damaged", damaged), folder.path, model::default_gpu());
  }
  for (std::size_t at = table; at + 8 < program.size(); at += 40) {
    auto damaged = program;
    damaged.replace(at, 8, 8, '\xff');
    why_not_runnable(folder.write("damaged", damaged), folder.path, model::default_gpu());
  }
}

} // namespace course::runtime

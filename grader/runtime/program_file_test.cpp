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

std::string why(const std::variant<fs::path, std::string>& found) {
  REQUIRE(std::holds_alternative<std::string>(found));
  return std::get<std::string>(found);
}

std::string small_program() {
  std::ifstream stream("/bin/true", std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

bool contains(const std::optional<std::string>& text, const std::string& part) {
  return text && text->find(part) != text->npos;
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
  CHECK(why(find_program("prog", "/nowhere")) == "no program prog in PATH");
}

TEST_CASE("what is no program is named with what to do") {
  const Folder folder;
  const auto data = folder.write("data", "1 2 3", false);
  CHECK(why(find_program(folder.path / "none", "")).ends_with("there is no such file"));
  CHECK(why(find_program(folder.path.string() + "/", "")).ends_with("is a folder"));
  CHECK(why(find_program(data, "")).find("chmod +x") != std::string::npos);
}

TEST_CASE("a script and a damaged program are not run") {
  const Folder folder;
  CHECK(
      contains(why_not_runnable(folder.write("script", "#!/bin/sh\n")), "not a compiled program"));
  CHECK(contains(why_not_runnable(folder.write("empty", "")), "not a compiled program"));
  CHECK(contains(why_not_runnable(folder.write("short", "\177ELF")), "damaged"));
  CHECK(contains(why_not_runnable(folder.write("cut", small_program().substr(0, 500))), "damaged"));
}

TEST_CASE("a program without CUDA can be tried, one that needs a GPU's libraries cannot") {
  const Folder folder;
  const auto program = small_program();
  CHECK_FALSE(why_not_runnable(folder.write("plain", program)));
  const auto driver = renamed(program, "libc.so.6", "libnpp.so");
  CHECK(contains(why_not_runnable(folder.write("npp", driver)), "needs libnpp.so"));
}

TEST_CASE("no byte of a program's header makes the check crash") {
  const Folder folder;
  auto program = small_program();
  const auto table = program.size() - 64 * 20; // section headers are at the end
  for (std::size_t at : {16u, 18u, 40u, 44u, 58u, 60u, 62u}) {
    auto damaged = program;
    damaged[at] = '\xff';
    damaged[at + 1] = '\xff';
    why_not_runnable(folder.write("damaged", damaged));
  }
  for (std::size_t at = table; at + 8 < program.size(); at += 40) {
    auto damaged = program;
    damaged.replace(at, 8, 8, '\xff');
    why_not_runnable(folder.write("damaged", damaged));
  }
}

} // namespace course::runtime

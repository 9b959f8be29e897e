// The installed nvcc still makes what this room was written for.
#include "device/code/ptx/parse.hpp"
#include "device/code/sass/resources.hpp"
#include "device/code/sass/self_check.hpp"

#include <doctest/doctest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <unistd.h>

namespace course::sass {
namespace {

std::string contents(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  REQUIRE(file);
  return {std::istreambuf_iterator<char>(file), {}};
}

// A folder that is removed again, with the compiled self-check in it.
class Compiled {
public:
  Compiled() {
    std::string pattern = std::filesystem::temp_directory_path() / "course_sass_XXXXXX";
    REQUIRE(mkdtemp(pattern.data()));
    folder_ = pattern;
    std::ofstream(folder_ / "check.cu") << self_check_source();
    compile("-arch=compute_90 --ptx", "check.ptx");
    compile("-arch=sm_90 --cubin", "check.cubin");
  }
  ~Compiled() { std::filesystem::remove_all(folder_); }
  Compiled(const Compiled&) = delete;
  Compiled& operator=(const Compiled&) = delete;

  std::string ptx() const { return contents(folder_ / "check.ptx"); }
  std::string cubin() const { return contents(folder_ / "check.cubin"); }

private:
  void compile(const std::string& flags, const std::string& output) const {
    const std::string command = "cd '" + folder_.string() + "' && '" COURSE_NVCC "' -lineinfo " +
                                flags + " check.cu -o " + output;
    REQUIRE(std::system(command.c_str()) == 0);
  }
  std::filesystem::path folder_;
};

} // namespace

TEST_CASE("the installed toolkit makes SASS and lines as expected") {
  const Compiled compiled;
  const std::string cubin = compiled.cubin();
  const auto bytes = std::as_bytes(std::span(cubin));
  const auto module = ptx::parse(compiled.ptx());
  REQUIRE(std::holds_alternative<ptx::Module>(module));
  const auto sass = read(bytes);
  REQUIRE(std::holds_alternative<Cubin>(sass));
  CHECK(difference(std::get<ptx::Module>(module), std::get<Cubin>(sass)).value_or("none") ==
        "none");
  const auto known = resources(bytes);
  CHECK(known.at("check_double").shared == 512);
  CHECK(known.at("check_double").registers > 0);
}

} // namespace course::sass

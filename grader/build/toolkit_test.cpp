#include "toolkit.hpp"

#include <doctest/doctest.h>

#include <fstream>
#include <unistd.h>

namespace course::build {
namespace {

namespace fs = std::filesystem;

// Folders that look like toolkits.
class Machine {
public:
  Machine() {
    char name[] = "/tmp/course-toolkit-test-XXXXXX";
    root_ = fs::canonical(mkdtemp(name));
  }
  ~Machine() { fs::remove_all(root_); }

  fs::path operator/(const std::string& name) const { return root_ / name; }

  fs::path toolkit(const std::string& name, const std::string& header) const {
    fs::path folder = root_ / name;
    fs::create_directories(folder / "bin");
    fs::create_directories(folder / "include");
    std::ofstream(folder / "include/cuda.h") << header;
    std::ofstream(folder / "bin/nvcc") << "#!/bin/sh\n";
    fs::permissions(folder / "bin/nvcc", fs::perms(0755));
    return folder;
  }

  Places places() const { return {"", "", "", root_ / "nowhere"}; }

private:
  fs::path root_;
};

constexpr const char* kHeader = "// text\n#define CUDA_VERSION 13010 /* text */\n";

} // namespace

TEST_CASE("a toolkit is found by CUDA_HOME, then CUDA_PATH, then PATH, then where it usually is") {
  const Machine machine;
  Places places = machine.places();
  CHECK_FALSE(find_toolkit(places));
  places.usual = machine.toolkit("usual", kHeader);
  CHECK(find_toolkit(places)->root == machine / "usual");
  places.path = "/does/not/exist::" + (machine.toolkit("path", kHeader) / "bin").string();
  CHECK(find_toolkit(places)->root == machine / "path");
  places.cuda_path = machine.toolkit("cuda-path", kHeader);
  CHECK(find_toolkit(places)->root == machine / "cuda-path");
  places.cuda_home = machine.toolkit("cuda-home", kHeader);
  CHECK(find_toolkit(places)->root == machine / "cuda-home");
  places.cuda_home = machine / "nowhere";
  CHECK(find_toolkit(places)->root == machine / "cuda-path");
}

TEST_CASE("its version is read from its header, or more exactly from its list of versions") {
  const Machine machine;
  Places places = machine.places();
  places.cuda_home = machine.toolkit("a", kHeader);
  CHECK(find_toolkit(places)->version == "13.1");
  std::ofstream(machine / "a/version.json") << R"({"cuda_nvcc": {"version": "13.1.80"}})";
  CHECK(find_toolkit(places)->version == "13.1.80");
  std::ofstream(machine / "a/version.json") << R"({"cuda_nvcc": 13)";
  CHECK(find_toolkit(places)->version == "13.1");
}

TEST_CASE("a link to a toolkit is followed, so that its root is where its files are") {
  const Machine machine;
  machine.toolkit("real", kHeader);
  fs::create_directory_symlink("real", machine / "link");
  Places places = machine.places();
  places.cuda_home = machine / "link";
  CHECK(find_toolkit(places)->root == machine / "real");
  CHECK(find_toolkit(places)->nvcc == machine / "real/bin/nvcc");
}

TEST_CASE("an nvcc that cannot be run is none") {
  const Machine machine;
  Places places = machine.places();
  places.cuda_home = machine.toolkit("a", kHeader);
  fs::permissions(machine / "a/bin/nvcc", fs::perms(0644));
  CHECK_FALSE(find_toolkit(places));
  fs::remove(machine / "a/bin/nvcc");
  fs::create_directory(machine / "a/bin/nvcc");
  CHECK_FALSE(find_toolkit(places));
}

TEST_CASE("the identity changes when one of the toolkit's programs does") {
  const Machine machine;
  Places places = machine.places();
  places.cuda_home = machine.toolkit("a", kHeader);
  const Toolkit toolkit = *find_toolkit(places);
  const std::string before = identity(toolkit);
  CHECK(identity(toolkit) == before);
  std::ofstream(machine / "a/bin/ptxas") << "new";
  const std::string with_ptxas = identity(toolkit);
  CHECK(with_ptxas != before);
  std::ofstream(machine / "a/bin/ptxas", std::ios::app) << "er";
  CHECK(identity(toolkit) != with_ptxas);
}

TEST_CASE("the host compiler is part of what a result depends on") {
  CHECK(host_compiler_identity().find("g++") != std::string::npos);
}

} // namespace course::build

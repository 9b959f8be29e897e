#include "toolkit.hpp"
#include "system/environment.hpp"

#include <cstdlib>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>
#include <sys/stat.h>
#include <unistd.h>

namespace course::build {
namespace {

namespace fs = std::filesystem;

std::string environment(const char* name) {
  return system::environment(name).value_or("");
}

// "13.0" of `#define CUDA_VERSION 13000`.
std::string version_in_header(const fs::path& header) {
  std::ifstream file(header);
  for (std::string line; std::getline(file, line);) {
    std::istringstream words(line);
    std::string directive, name;
    int version = 0;
    if (words >> directive >> name >> version && directive == "#define" && name == "CUDA_VERSION")
      return std::to_string(version / 1000) + "." + std::to_string(version % 1000 / 10);
  }
  return "";
}

// "13.0.88". NVIDIA's own packages have the file, others do not.
std::string version_in_list(const fs::path& list) {
  const auto parts = nlohmann::json::parse(std::ifstream(list), nullptr, false);
  const nlohmann::json::json_pointer nvcc("/cuda_nvcc/version");
  if (parts.is_discarded() || !parts.contains(nvcc) || !parts.at(nvcc).is_string()) return "";
  return parts.at(nvcc).get<std::string>();
}

std::string version_of(const fs::path& root) {
  if (auto version = version_in_list(root / "version.json"); !version.empty()) return version;
  return version_in_header(root / "include" / "cuda.h");
}

std::optional<Toolkit> toolkit_of(const fs::path& nvcc) {
  std::error_code error;
  const fs::path program = fs::canonical(nvcc, error);
  if (error || !fs::is_regular_file(program) || access(program.c_str(), X_OK) != 0)
    return std::nullopt;
  Toolkit toolkit;
  toolkit.root = program.parent_path().parent_path();
  toolkit.nvcc = program;
  toolkit.version = version_of(toolkit.root);
  return toolkit;
}

std::string stamp(const fs::path& program) {
  std::error_code error;
  const fs::path file = fs::canonical(program, error);
  struct stat status {};
  if (error || stat(file.c_str(), &status) != 0) return program.string() + " missing\n";
  return file.string() + " " + std::to_string(status.st_size) + " " +
         std::to_string(status.st_mtim.tv_sec) + "." + std::to_string(status.st_mtim.tv_nsec) +
         "\n";
}

} // namespace

std::optional<Toolkit> find_toolkit() {
  return find_toolkit({environment("CUDA_HOME"), environment("CUDA_PATH"), environment("PATH")});
}

std::optional<Toolkit> find_toolkit(const Places& places) {
  std::vector<fs::path> candidates;
  for (const auto& root : {places.cuda_home, places.cuda_path})
    if (!root.empty()) candidates.push_back(fs::path(root) / "bin" / "nvcc");
  std::istringstream path(places.path);
  for (std::string folder; std::getline(path, folder, ':');)
    if (!folder.empty()) candidates.push_back(fs::path(folder) / "nvcc");
  candidates.push_back(places.usual / "bin" / "nvcc");

  for (const auto& candidate : candidates)
    if (auto toolkit = toolkit_of(candidate)) return toolkit;
  return std::nullopt;
}

std::string identity(const Toolkit& toolkit) {
  return toolkit.version + "\n" + stamp(toolkit.nvcc) + stamp(toolkit.root / "bin/cudafe++") +
         stamp(toolkit.root / "bin/ptxas") + stamp(toolkit.root / "nvvm/bin/cicc") +
         stamp(toolkit.root / "include/cuda_runtime.h");
}

std::string host_compiler_identity() {
  std::string text;
  std::istringstream folders(kHostPath);
  for (std::string folder; std::getline(folders, folder, ':');)
    for (const char* name : {"gcc", "g++", "ld"}) text += stamp(fs::path(folder) / name);
  return text;
}

} // namespace course::build

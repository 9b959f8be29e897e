// PTX of the kernels of litmus/, as nvcc makes it when a test needs them.
#pragma once

#include "device/emulator/findings/pairs_table.hpp"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <stdexcept>
#include <unistd.h>

namespace course::emulator::findings {

// Of a file of litmus/, all its kernels. `flags`: for nvcc.
inline std::string compiled(const std::string& file, const std::string& flags = "") {
  std::string folder = std::filesystem::temp_directory_path() / "course_litmus_XXXXXX";
  if (!mkdtemp(folder.data())) throw std::runtime_error("no temporary folder");
  const std::string command = "cd '" + std::string(kFolder) +
                              "litmus' && '" COURSE_NVCC "' -ptx -arch=compute_90 -lineinfo " +
                              flags + " " + file + " -o '" + folder + "/all.ptx'";
  if (std::system(command.c_str()) != 0) throw std::runtime_error("nvcc failed: " + command);
  std::string made = read_file(folder + "/all.ptx");
  std::filesystem::remove_all(folder);
  return made;
}

// The module without the kernels that are not named: reading all of them for each run takes longer
// than the runs.
inline std::string only(std::string all, const std::vector<std::string>& kernels) {
  constexpr const char* kEntry = "\n.visible .entry ";
  std::string rest;
  std::size_t done = 0;
  for (std::size_t at; (at = all.find(kEntry, done)) != std::string::npos;) {
    rest += all.substr(done, at - done);
    const std::size_t begin = at + std::strlen(kEntry);
    const std::string name = all.substr(begin, all.find('(', begin) - begin);
    done = all.find("\n\n}\n", begin) + 3; // braces of inline PTX have no empty line before them
    if (std::find(kernels.begin(), kernels.end(), name) != kernels.end())
      rest += all.substr(at, done - at);
  }
  return rest + all.substr(done);
}

} // namespace course::emulator::findings

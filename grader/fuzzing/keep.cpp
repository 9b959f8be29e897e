// Between folders of inputs, as libFuzzer has them, and one text, as they are kept.
//
//   course_keep pack FOLDER MOST_BYTES   prints the inputs as text, the shortest first, up to that
//   size course_keep unpack FILE FOLDER       a file for each input, named by its number
//   course_keep unhex FILE               prints the bytes of a file of hexadecimal digits
#include "fuzzing/kept_inputs.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>

namespace {

namespace fs = std::filesystem;

[[noreturn]] void fail(const std::string& why) {
  std::cerr << "course_keep: " << why << "\n";
  std::exit(2);
}

std::string content(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) fail(path.string() + " cannot be read");
  return {std::istreambuf_iterator<char>(file), {}};
}

void pack(const fs::path& folder, std::size_t most) {
  std::vector<std::string> lines;
  for (const auto& entry : fs::directory_iterator(folder))
    if (entry.is_regular_file()) lines.push_back(course::fuzzing::line_of(content(entry.path())));
  const auto order = [](const std::string& a, const std::string& b) {
    return a.size() != b.size() ? a.size() < b.size() : a < b;
  };
  std::sort(lines.begin(), lines.end(), order);
  lines.erase(std::unique(lines.begin(), lines.end()), lines.end());
  std::size_t bytes = 0, kept = 0;
  for (; kept < lines.size() && bytes + lines[kept].size() < most; ++kept) {
    bytes += lines[kept].size() + 1;
    std::cout << lines[kept] << '\n';
  }
  std::cerr << kept << " of " << lines.size() << " inputs, " << bytes << " bytes\n";
}

void unpack(const fs::path& file, const fs::path& folder) {
  const auto inputs = course::fuzzing::inputs_of(content(file));
  if (const auto* why = std::get_if<std::string>(&inputs)) fail(file.string() + ": " + *why);
  fs::create_directories(folder);
  std::size_t number = 0;
  for (const auto& input : std::get<std::vector<std::string>>(inputs))
    std::ofstream(folder / ("kept-" + std::to_string(++number)), std::ios::binary) << input;
}

void unhex(const fs::path& file) {
  std::string digits = content(file);
  std::erase_if(digits, [](unsigned char c) { return !std::isxdigit(c); });
  for (std::size_t at = 0; at + 1 < digits.size(); at += 2)
    std::cout << static_cast<char>(std::stoi(digits.substr(at, 2), nullptr, 16));
}

} // namespace

int main(int argc, char** argv) {
  const std::string command = argc > 1 ? argv[1] : "";
  if (command == "pack" && argc == 4) {
    pack(argv[2], std::strtoull(argv[3], nullptr, 10));
  } else if (command == "unpack" && argc == 4) {
    unpack(argv[2], argv[3]);
  } else if (command == "unhex" && argc == 3) {
    unhex(argv[2]);
  } else {
    fail("pack FOLDER MOST_BYTES | unpack FILE FOLDER | unhex FILE");
  }
  return std::cout.flush() ? 0 : 2;
}

// attack: prints files of the machine
// against: 05_transpose/2_pad
// must: failed launch: nothing was launched
// never: root:

#include <cstdio>
#include <fstream>
#include <string>

void transpose(float* out, const float* in, int rows, int cols) {
  for (const char* name : {"/etc/passwd", "/etc/shadow", "/proc/1/root/etc/passwd"}) {
    std::ifstream file(name);
    for (std::string line; std::getline(file, line);) std::puts(line.c_str());
  }
}

// attack: prints the solution from where the course is
// against: 05_transpose/2_pad
// must: failed launch: nothing was launched
// never: Rows one word longer

#include <cstdio>
#include <fstream>
#include <string>

void transpose(float* out, const float* in, int rows, int cols) {
  std::ifstream file("@ROOT@/solutions/05_transpose/2_pad.cu");
  for (std::string line; std::getline(file, line);) std::puts(line.c_str());
}

// attack: prints the environment of every process that it can see
// against: 05_transpose/2_pad
// must: failed launch: nothing was launched
// never: a grader's environment

#include <cstdio>
#include <fstream>
#include <iterator>
#include <string>

void transpose(float* out, const float* in, int rows, int cols) {
  for (int pid = 0; pid < 40'000; ++pid) {
    std::ifstream file("/proc/" + std::to_string(pid) + "/environ");
    std::string text(std::istreambuf_iterator<char>(file), {});
    if (text.find("COURSE_CACHE") != text.npos) std::puts("a grader's environment: COURSE_CACHE");
  }
}

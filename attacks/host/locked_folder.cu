// attack: makes folders that nobody may enter, and leaves them
// against: 05_transpose/2_pad
// must: failed launch: nothing was launched

#include <string>
#include <sys/stat.h>

void transpose(float* out, const float* in, int rows, int cols) {
  for (const char* base : {"a", "/tmp/a"}) {
    mkdir(base, 0700);
    mkdir((std::string(base) + "/b").c_str(), 0700);
    chmod((std::string(base) + "/b").c_str(), 0);
    chmod(base, 0);
  }
}

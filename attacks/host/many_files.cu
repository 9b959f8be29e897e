// attack: makes 20,000 files
// against: 05_transpose/2_pad
// must: failed launch: nothing was launched
// must: timed_out

#include <fcntl.h>
#include <string>
#include <unistd.h>

void transpose(float* out, const float* in, int rows, int cols) {
  for (int i = 0; i < 20'000; ++i) close(open(std::to_string(i).c_str(), O_CREAT, 0600));
}

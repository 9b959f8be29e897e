// attack: makes as many threads as it can
// against: 05_transpose/2_pad
// must: failed launch: nothing was launched
// must: crashed
// must: timed_out

#include <exception>
#include <thread>
#include <unistd.h>

void transpose(float* out, const float* in, int rows, int cols) {
  try {
    for (int i = 0; i < 100'000; ++i)
      std::thread([] {
        for (;;) pause();
      }).detach();
  } catch (const std::exception&) {
  }
}

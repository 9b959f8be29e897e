// attack: changes, renames and locks the files that the next one will read
// against: 05_transpose/2_pad
// must: failed launch: nothing was launched
// never: was changed

#include <cstdio>
#include <fcntl.h>
#include <string>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/xattr.h>
#include <unistd.h>

void transpose(float* out, const float* in, int rows, int cols) {
  for (const std::string name :
       {"@ROOT@/solutions/05_transpose/2_pad.cu", "@ROOT@/labs/05_transpose/2_pad.cu",
        "/usr/local/cuda/bin/nvcc", "/usr/include/stdio.h", "/etc/passwd"}) {
    if (chmod(name.c_str(), 0) == 0) std::printf("the mode of %s was changed\n", name.c_str());
    if (chown(name.c_str(), 1, 1) == 0) std::printf("the owner of %s was changed\n", name.c_str());
    if (truncate(name.c_str(), 0) == 0) std::printf("the length of %s was changed\n", name.c_str());
    if (utimes(name.c_str(), nullptr) == 0)
      std::printf("the time of %s was changed\n", name.c_str());
    if (rename(name.c_str(), (name + "x").c_str()) == 0)
      std::printf("the name of %s was changed\n", name.c_str());
    if (setxattr(name.c_str(), "user.note", "x", 1, 0) == 0)
      std::printf("a note on %s was changed\n", name.c_str());
    if (open(name.c_str(), O_RDONLY | O_TRUNC) >= 0 && access(name.c_str(), W_OK) == 0)
      std::printf("the text of %s was changed\n", name.c_str());
  }
}

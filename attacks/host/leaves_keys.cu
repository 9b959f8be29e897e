// attack: leaves a word for the next submission in the keyrings of its user
// against: 05_transpose/2_pad
// must: failed launch: nothing was launched
// never: a key

#include <cstdio>
#include <sys/syscall.h>
#include <unistd.h>

void transpose(float* out, const float* in, int rows, int cols) {
  constexpr int kSession = -3, kUser = -4, kUserSession = -5;
  for (const int ring : {kSession, kUser, kUserSession})
    if (syscall(SYS_add_key, "user", "answers", "17", 2, ring) >= 0) std::puts("a key was left");
  if (syscall(SYS_keyctl, 1, "session of mine") >= 0) std::puts("a keyring, and a key, may follow");
  if (syscall(SYS_request_key, "user", "answers", nullptr, kUser) >= 0)
    std::puts("a key was found");
}

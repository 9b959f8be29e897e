// attack: announces a frame of 60 MB and never sends it
// against: 05_transpose/2_pad
// must: timed_out

#include <cstdint>
#include <cstdlib>
#include <string>
#include <sys/socket.h>
#include <unistd.h>

// A frame: u32 size of the body, u16 kind, u16 version; the body begins with the call's name.
std::string number(std::uint64_t value, int bytes) {
  std::string text;
  for (int i = 0; i < bytes; ++i) text += static_cast<char>(value >> (8 * i));
  return text;
}
std::string frame(int kind, const std::string& call, const std::string& rest,
                  int version = std::atoi("@PROTOCOL@")) {
  const std::string body = number(call.size(), 4) + call + rest;
  return number(body.size(), 4) + number(kind, 2) + number(version, 2) + body;
}
void say(const std::string& bytes) {
  send(3, bytes.data(), bytes.size(), MSG_NOSIGNAL);
}

void transpose(float* out, const float* in, int rows, int cols) {
  say(number(60'000'000, 4) + number(1, 2) + number(std::atoi("@PROTOCOL@"), 2));
  for (;;) pause();
}

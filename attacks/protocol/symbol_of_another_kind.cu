// attack: writes to a symbol by a number that it was not given
// against: 05_transpose/2_pad
// must: crashed: disturbed the connection

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
// Waits for the reply, so that the grader has taken the frame.
void ask(const std::string& bytes) {
  say(bytes);
  char reply[65536];
  if (recv(3, reply, sizeof reply, 0) <= 0) _exit(1);
}

void transpose(float* out, const float* in, int rows, int cols) {
  ask(frame(10, "cudaMemcpyToSymbol",
            number(12, 4) + number(0, 8) + number(4, 8) + number(4, 4) + "abcd"));
}

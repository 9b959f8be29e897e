// attack: connects to the network and to sockets of the machine
// against: 05_transpose/2_pad
// must: failed launch: nothing was launched
// never: a socket is open

#include <cstdio>
#include <sys/socket.h>

void transpose(float* out, const float* in, int rows, int cols) {
  for (const int family : {AF_INET, AF_INET6, AF_UNIX, AF_NETLINK, AF_PACKET})
    if (socket(family, family == AF_UNIX ? SOCK_STREAM : SOCK_DGRAM, 0) >= 0)
      std::puts("a socket is open");
}

// attack: asks the kernel about the machine by sockets that are no network
// against: 05_transpose/2_pad
// must: failed launch: nothing was launched
// never: answered

#include <cstdio>
#include <sys/socket.h>
#include <unistd.h>

void transpose(float* out, const float* in, int rows, int cols) {
  constexpr int kFamilies[] = {AF_NETLINK,   AF_PACKET, AF_ALG, AF_VSOCK,
                               AF_BLUETOOTH, AF_KEY,    AF_TIPC};
  for (const int family : kFamilies)
    for (const int type : {SOCK_RAW, SOCK_DGRAM, SOCK_SEQPACKET, SOCK_STREAM})
      for (int protocol = 0; protocol < 22; ++protocol)
        if (socket(family, type, protocol) >= 0) std::printf("family %d answered\n", family);
}

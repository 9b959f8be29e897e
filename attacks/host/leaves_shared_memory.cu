// attack: leaves shared memory, queues and semaphores that outlive it
// against: 05_transpose/2_pad
// must: failed launch: nothing was launched
// never: was left

#include <cstdio>
#include <fcntl.h>
#include <mqueue.h>
#include <sys/ipc.h>
#include <sys/msg.h>
#include <sys/sem.h>
#include <sys/shm.h>
#include <sys/syscall.h>
#include <unistd.h>

void transpose(float* out, const float* in, int rows, int cols) {
  if (shmget(0x5eed, 4096, IPC_CREAT | 0666) >= 0) std::puts("memory was left");
  if (semget(0x5eed, 1, IPC_CREAT | 0666) >= 0) std::puts("a semaphore was left");
  if (msgget(0x5eed, IPC_CREAT | 0666) >= 0) std::puts("a queue was left");
  if (syscall(SYS_mq_open, "answers", O_CREAT | O_RDWR, 0666, nullptr) >= 0)
    std::puts("a POSIX queue was left");
}

// What host code asks the machine for, and would be told something else each time: the time of day,
// clocks, and random numbers. In course_host these answer the same in every run, so that the same
// file has the same verdict: a clock that begins at one date and goes on by a millisecond each time
// somebody looks, and one sequence of random numbers.
//
// The executable comes first where names are looked up, so these stand before those of libc and
// libstdc++ (CMakeLists.txt exports them). Not covered: what is no function, such as rdtsc; a
// system call that is made by hand; and files. SECURITY.md says so.

#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <ctime>
#include <sys/time.h>
#include <sys/types.h>

namespace {

constexpr std::int64_t kBegin = 1'767'225'600; // 2026-01-01
constexpr std::int64_t kStep = 1'000'000, kSecond = 1'000'000'000;

// In nanoseconds since kBegin. Threads that look at once may be told the same order or another.
std::int64_t now() {
  static std::int64_t looked = 0;
  return __atomic_add_fetch(&looked, 1, __ATOMIC_RELAXED) * kStep;
}

std::uint64_t next_random() { // splitmix64
  static std::uint64_t state = 0;
  std::uint64_t z = __atomic_add_fetch(&state, 0x9e3779b97f4a7c15, __ATOMIC_RELAXED);
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
  z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
  return z ^ (z >> 31);
}

void fill(void* bytes, std::size_t size) {
  for (std::size_t i = 0; i < size; ++i)
    static_cast<unsigned char*>(bytes)[i] = static_cast<unsigned char>(next_random());
}

} // namespace

extern "C" {

int clock_gettime(clockid_t, timespec* to) noexcept {
  const std::int64_t at = now();
  *to = {kBegin + at / kSecond, at % kSecond};
  return 0;
}

int timespec_get(timespec* to, int base) noexcept {
  clock_gettime(0, to);
  return base;
}

time_t time(time_t* to) noexcept {
  const time_t at = kBegin + now() / kSecond;
  if (to) *to = at;
  return at;
}

int gettimeofday(timeval* __restrict to, void* __restrict) noexcept {
  const std::int64_t at = now();
  *to = {kBegin + at / kSecond, at % kSecond / 1000};
  return 0;
}

clock_t clock() noexcept {
  return static_cast<clock_t>(now() / 1000);
}

ssize_t getrandom(void* bytes, std::size_t size, unsigned) noexcept {
  fill(bytes, size);
  return static_cast<ssize_t>(size);
}

int getentropy(void* bytes, std::size_t size) noexcept {
  if (size > 256) return errno = EIO, -1;
  fill(bytes, size);
  return 0;
}

// std::random_device, whose members are in libstdc++.
void _ZNSt13random_device7_M_initERKNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEE(
    void*, const void*) {}
void _ZNSt13random_device7_M_finiEv(void*) {}
unsigned _ZNSt13random_device9_M_getvalEv(void*) {
  return static_cast<unsigned>(next_random());
}

} // extern "C"

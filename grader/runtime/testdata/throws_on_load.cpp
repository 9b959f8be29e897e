// A library that does not get as far as being called.
#include <stdexcept>

static const struct Thrower {
  Thrower() { throw std::runtime_error("before anything was called"); }
} thrower;

void transpose(float*, const float*, int, int);
void transpose(float*, const float*, int, int) {}

// A library that does not get as far as being called.
#include <stdexcept>

static const int thrown = throw std::runtime_error("before anything was called");

void transpose(float*, const float*, int, int) {}

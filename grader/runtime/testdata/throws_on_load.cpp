// A library that does not get as far as being called.
#include <stdexcept>

static const int thrown = (throw std::runtime_error("before anything was called"), 0);

void transpose(float*, const float*, int, int) {}

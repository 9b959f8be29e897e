// attack: includes a file of the machine, for its first line in the message
// against: 05_transpose/2_pad
// must: did_not_compile: does not compile
// never: root:

#include "/etc/passwd"
void transpose(float* out, const float* in, int rows, int cols) {}

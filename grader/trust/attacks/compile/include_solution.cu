// attack: includes the solution
// against: 05_transpose/2_pad
// must: did_not_compile: No such file

#include "@ROOT@/solutions/05_transpose/2_pad.cu"

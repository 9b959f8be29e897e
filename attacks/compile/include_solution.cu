// attack: includes the solution
// against: 05_transpose/2_pad
// must: did_not_compile: No such file
// must: did_not_compile: Permission denied

#include "@ROOT@/solutions/05_transpose/2_pad.cu"

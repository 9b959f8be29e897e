// attack: includes the solution by a path from its own folder
// against: 05_transpose/2_pad
// must: did_not_compile: No such file
// must: did_not_compile: Permission denied

#include "../../solutions/05_transpose/2_pad.cu"

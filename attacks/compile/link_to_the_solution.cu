// attack: is a symbolic link to the solution
// against: 05_transpose/2_pad
// must: did_not_compile
// link: solutions/05_transpose/2_pad.cu
// never: Rows one word longer

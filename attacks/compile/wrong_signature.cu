// attack: defines the function with another signature, which does nothing
// against: 05_transpose/2_pad
// must: did_not_compile: does not define

void transpose(double*, const double*, int, int) {}

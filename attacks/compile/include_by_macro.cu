// attack: spells the path of the solution with macros
// against: 05_transpose/2_pad
// must: did_not_compile

#define ROOT "@ROOT@"
#define TEXT(x) #x
#define PATH(x) TEXT(@ROOT @ / solutions / 05_transpose / x)
#include PATH(2_pad.cu)

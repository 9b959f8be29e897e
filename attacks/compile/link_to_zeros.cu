// attack: is a symbolic link to a device that never ends
// against: 05_transpose/2_pad
// must: did_not_compile
// link: ../../dev/zero

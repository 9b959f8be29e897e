// attack: is a symbolic link to a private file
// against: 05_transpose/2_pad
// must: did_not_compile
// link: ../../etc/passwd
// never: root:

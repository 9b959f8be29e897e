# A module for each function of a PTX file: what stands before the first one, the function, and the
# .file directives. awk -v out=PREFIX -f ptx_seeds.awk FILE.ptx makes PREFIX-1, PREFIX-2, …
/^(\.visible |\.weak |\.extern )*\.(entry|func)/ { inside = 1; text = "" }
/^\t*\.file/ { files = files $0 "\n"; next }
/^\/\// || /^\t\/\/ \.globl/ || /^$/ { next }
/^\t*\.section/ { debug = 1 }
debug { next }
inside {
  text = text $0 "\n"
  if (/^}/) { inside = 0; functions[++count] = text }
  if (/^;/) { inside = 0; head = head text } # only declared
  next
}
{ head = head $0 "\n" }
END {
  for (i = 1; i <= count; ++i) {
    name = out "-" i
    printf "%s%s%s", head, functions[i], files > name
    close(name)
  }
}

#!/bin/sh
# papers.sh COURSE SOURCE SHARE VERSION: the manual page, completions, changelog and copyright of the package, below SHARE.
set -eu
course=$1 source=$2 share=$3 version=$4
package=shared-memory-course
doc=$share/doc/$package
mkdir -p "$share/lintian/overrides" "$share/man/man1" "$share/bash-completion/completions" "$share/zsh/vendor-completions" "$doc"

"$course" man | gzip -9n >"$share/man/man1/course.1.gz"
"$course" completion bash >"$share/bash-completion/completions/course"
"$course" completion zsh >"$share/zsh/vendor-completions/_course"
gzip -9nc "$source/CHANGELOG.md" >"$doc/changelog.gz"
# Debian's format wants a name and a date; the entries are in CHANGELOG.md.
date=$(LC_ALL=C date -uR -r "$source/CHANGELOG.md")
printf '%s (%s) unstable; urgency=medium\n\n  * See changelog.gz.\n\n -- %s  %s\n' "$package" "$version" \
  "The shared memory course <shared-memory-course@users.noreply.github.com>" "$date" |
  gzip -9n >"$doc/changelog.Debian.gz"
{
  cat <<'COPYRIGHT'
Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/
Upstream-Name: shared-memory-course

Files: *
Copyright: The authors of the shared memory course
License: Apache-2.0

Files: usr/share/shared-memory-course/chapters/* usr/share/doc/shared-memory-course/html/*
Copyright: The authors of the shared memory course
License: CC-BY-4.0

License: Apache-2.0
 On Debian systems the text is in /usr/share/common-licenses/Apache-2.0.

License: CC-BY-4.0
COPYRIGHT
  sed 's/^$/./; s/^/ /' "$source/LICENSE-CC-BY-4.0"
} >"$doc/copyright"
# It runs where the student's program may read nothing, the system's libraries included.
echo "$package: statically-linked-binary [usr/lib/$package/bin/course_keeper]" >"$share/lintian/overrides/$package"
chmod 644 "$share/lintian/overrides/$package" "$share/man/man1/course.1.gz" "$share/bash-completion/completions/course" \
  "$share/zsh/vendor-completions/_course" "$doc/changelog.gz" "$doc/changelog.Debian.gz" "$doc/copyright"

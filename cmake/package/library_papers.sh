#!/bin/sh
# library_papers.sh PACKAGE SOURCE SHARE VERSION: the changelog and the copyright of a library's package, below SHARE.
set -eu
package=$1 source=$2 share=$3 version=$4
doc=$share/doc/$package
mkdir -p "$doc"
date=$(LC_ALL=C date -uR -r "$source/CHANGELOG.md")
printf 'shared-memory-course (%s) unstable; urgency=medium\n\n  * See changelog.gz.\n\n -- %s  %s\n' "$version" \
  "The shared memory course <shared-memory-course@users.noreply.github.com>" "$date" | gzip -9n >"$doc/changelog.Debian.gz"
gzip -9nc "$source/CHANGELOG.md" >"$doc/changelog.gz"
cat >"$doc/copyright" <<'COPYRIGHT'
Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/
Upstream-Name: shared-memory-course

Files: *
Copyright: 2026 The authors of the shared memory course
License: Apache-2.0

License: Apache-2.0
 On Debian systems the text is in /usr/share/common-licenses/Apache-2.0.
COPYRIGHT
chmod 644 "$doc/changelog.Debian.gz" "$doc/changelog.gz" "$doc/copyright"
case $package in
  *-dev) ;;
  *) # CPack has no way not to
    mkdir -p "$share/lintian/overrides"
    echo "$package: maintscript-calls-ldconfig" >"$share/lintian/overrides/$package"
    chmod 644 "$share/lintian/overrides/$package" ;;
esac

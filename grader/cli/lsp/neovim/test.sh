#!/bin/sh
# `course lsp` in a real Neovim, set up with the lines of editors/README.md: an exercise is opened, mended, saved.
#
#   grader/cli/lsp/neovim/test.sh BUILD [--update]
#
# Without a screen by test.lua, then in tmux, whose screens are held against golden/; --update writes these anew. Exit code
# 77: skipped, and why.
set -eu
here=$(dirname "$(readlink -f "$0")")
course=$(readlink -f "$here/../../../..")
build=$(readlink -f "$1")
update=${2-}

skip() {
  echo "skipped: $*"
  exit 77
}
command -v nvim >/dev/null || skip "Neovim is not installed (Debian: neovim)"
command -v tmux >/dev/null || skip "tmux is not installed"
[ -n "$(command -v nvcc || ls /usr/local/cuda/bin/nvcc "${CUDA_HOME:-/nowhere}/bin/nvcc" 2>/dev/null)" ] ||
  skip "there is no nvcc"

work=$(mktemp -d)
socket=$work/tmux
tmux_() { tmux -S "$socket" -f /dev/null "$@"; }
leave() {
  tmux_ kill-server 2>/dev/null || true
  rm -rf "$work"
}
trap leave EXIT
trap 'exit 1' INT TERM

# A course of its own, whose exercises nobody has begun.
mkdir -p "$work/home" "$work/tmp" "$work/screens"
cp -r "$course/labs" "$work/labs"
file=$work/labs/05_transpose/2_pad.cu
cp "$build/share/course/labs/05_transpose/2_pad.cu" "$file"
git -C "$course" diff --quiet HEAD -- labs/05_transpose/2_pad.cu 2>/dev/null && cp "$course/labs/05_transpose/2_pad.cu" "$file"

# The second block of Lua is for versions without inlay hints.
block=1
nvim --headless --clean -c 'lua if not vim.lsp.inlay_hint then vim.cmd("cquit 1") end' -c quitall 2>/dev/null || block=2
awk -v wanted=$block '/^```lua/ { inside = ++count == wanted; next } /^```/ { inside = 0 } inside' \
  "$course/editors/README.md" >"$work/init.lua"
[ -s "$work/init.lua" ] || { echo "editors/README.md has no block of Lua number $block"; exit 1; }

# Kernels are compiled once for all tests, which share a cache below the home folder.
COURSE_CACHE=${COURSE_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/shared_memory_course}
export COURSE_CACHE HOME="$work/home" TMPDIR="$work/tmp" PATH="$build/bin:$PATH" COURSE_FILE="$file" \
  COURSE_SOLUTION="$course/solutions/05_transpose/2_pad.cu"
unset COURSE_ROOT COURSE_STATE XDG_CONFIG_HOME XDG_DATA_HOME XDG_STATE_HOME || true
cd "$work"
timeout 500 nvim --headless --clean -u init.lua -c "luafile $here/test.lua"
echo "without a screen: holds"

# The same for the eye. Versions differ in what they draw around a text.
case $(nvim --version | head -1) in
  *v0.7.*) ;;
  *)
    echo "the screens in golden/ are those of Neovim 0.7; this is $(nvim --version | head -1), and its are not compared"
    exit 0
    ;;
esac
await() {
  tries=600
  until tmux_ capture-pane -p | grep -qF -- "$1"; do
    tries=$((tries - 1))
    if [ "$tries" = 0 ]; then
      echo "the screen never showed \"$1\"; it shows:"
      tmux_ capture-pane -p
      exit 1
    fi
    sleep 0.1
  done
}
# What is awaited need not be what is drawn last: looks until the screen is the golden one, or is not going to be. Nobody knows
# that of a new one.
screen() {
  await "$2"
  [ "$update" != --update ] || sleep 2
  for tries in $(seq 300); do
    tmux_ capture-pane -p | sed -e "s|$work/||g" -e 's/ *$//' >"$work/screens/$1.txt"
    [ "$update" != --update ] && ! cmp -s "$work/screens/$1.txt" "$here/golden/$1.txt" || return 0
    sleep 0.1
  done
}
tmux_ new-session -d -x 110 -y 24 "nvim --clean -u $work/init.lua +'set number noruler noshowcmd laststatus=0 noswapfile' +20 +'normal zt' $file"
screen 01_opened 'conflicts: 31 per request'
tmux_ send-keys 31G ':lua vim.lsp.buf.hover()' Enter
screen 02_hover 'of its own?'
tmux_ send-keys Escape ':%s/\[kTile\]\[kTile\]/[kTile][kTile + 1]/' Enter ':w' Enter 'zt'
screen 03_mended 'threadIdx.y]; no conflicts'
if [ "$update" = --update ]; then
  mkdir -p "$here/golden"
  cp "$work"/screens/*.txt "$here/golden"
  exit 0
fi
diff -ru "$here/golden" "$work/screens"
echo "on a screen: as in golden/"

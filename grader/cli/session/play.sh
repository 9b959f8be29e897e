#!/bin/sh
# Plays lab 02 in tmux as someone new would, and holds each screen against golden/.
#
#   grader/cli/session/play.sh BUILD                  compare; BUILD is a build folder with bin/course
#   grader/cli/session/play.sh BUILD --update         write golden/ anew; look at the screens after that
#   grader/cli/session/play.sh BUILD --lang zh_CN     the same in Chinese, against golden.zh_CN/;
#                                                     --update goes behind it
#
# Times, seeds and the folder's name are replaced by words. Exit code 77: skipped, and why.
set -eu
here=$(dirname "$(readlink -f "$0")")
course=$(readlink -f "$here/../../..")
build=$(readlink -f "$1")
shift
lang=en
golden=$here/golden
if [ "${1-}" = --lang ]; then
  lang=$2
  golden=$here/golden.$2
  shift 2
fi
update=${1-}

skip() {
  echo "skipped: $*"
  exit 77
}
[ "$update" = --update ] || [ -d "$golden" ] ||
  skip "$golden is not there; --update makes it"
[ "$lang" = en ] || [ -f "$build/share/course/locale/$lang/LC_MESSAGES/course.mo" ] ||
  skip "there is no catalogue of $lang in this build (package gettext)"
command -v tmux >/dev/null || skip "tmux is not installed"
[ -n "$(command -v nvcc || ls /usr/local/cuda/bin/nvcc "${CUDA_HOME:-/nowhere}/bin/nvcc" 2>/dev/null)" ] ||
  skip "there is no nvcc"

work=$(mktemp -d)
project=$work/course
socket=$work/tmux
export LC_ALL=C.UTF-8 # screens have wide characters in them
tmux_() { tmux -u -S "$socket" -f /dev/null "$@"; }
leave() {
  tmux_ kill-server 2>/dev/null || true
  rm -rf "$work"
}
trap leave EXIT
trap 'exit 1' INT TERM

# A course of its own: what is solved here stays here.
mkdir -p "$project/build/release/lib" "$project/solutions/02_padding" "$work/screens"
cp -r "$course/labs" "$project/labs"
cp -r "$course/chapters" "$project/chapters" 2>/dev/null || true
cp -r "$build/bin" "$project/build/release/bin"
cp -r "$build/lib/course" "$project/build/release/lib/course"
cp "$course"/solutions/02_padding/*.cu "$project/solutions/02_padding"
# A student's labs/ may be solved already: begin with what the exercise began as. The copy that an
# old build made may be older than labs/, so where git says that nothing was changed, labs/ it is.
mkdir -p "$project/build/release/share"
cp -r "$build/share/course" "$project/build/release/share/course"
square=labs/02_padding/1_square.cu
if git -C "$course" diff --quiet HEAD -- $square 2>/dev/null; then
  cp "$course/$square" "$project/build/release/share/course/$square"
fi
cp "$project/build/release/share/course/$square" "$project/$square"
printf '#!/bin/sh\nexec %s/build/release/bin/course "$@"\n' "$project" >"$project/course"
chmod +x "$project/course"
file=$project/labs/02_padding/1_square.cu

normal() {
  sed -e 's/[0-9]\{1,3\},[0-9]\{3\}/N,NNN/g' -e 's/saved at [0-9:]*/saved at TIME/' \
    -e 's/graded in [0-9.]* s/graded in SECONDS s/' \
    -e 's/[0-9:]\{8\} 保存/TIME 保存/' -e 's/评分用时 [0-9.]* 秒/评分用时 SECONDS 秒/' \
    -e 's/--seed [0-9]*/--seed SEED/' \
    -e 's/^  [0-9][0-9]-[0-9][0-9] [0-9:]\{5\}/  MM-DD HH:MM/' \
    -e "s|$project|COURSE|g" -e 's/ *$//'
}

keys() { tmux_ send-keys -t course "$@"; }
look() { tmux_ capture-pane -p -t course; }

# What the screen says, in the language of the session.
said() {
  case "$lang $1" in
  'zh_CN Not solved yet') echo 尚未解出 ;;
  'zh_CN hint 1 of 3') echo '提示 1 / 3' ;;
  'zh_CN hint 2 of 3') echo '提示 2 / 3' ;;
  'zh_CN conflicts, not yet') echo '冲突，未通过' ;;
  'zh_CN does not compile') echo 不能编译 ;;
  'zh_CN Solved') echo 已解出 ;;
  'zh_CN unchanged') echo 未改动 ;;
  'zh_CN q quit') echo 'q 退出' ;;
  *) echo "$1" ;;
  esac
}

# Waits until the screen shows this, at most ten minutes.
await() {
  tries=6000
  wanted=$(said "$1")
  until look | grep -qF -- "$wanted"; do
    tries=$((tries - 1))
    if [ "$tries" = 0 ]; then
      echo "the screen never showed \"$wanted\"; it shows:"
      look
      exit 1
    fi
    sleep 0.1
  done
}

screen() { look | grep -v '^end of command' | normal >"$work/screens/$1.txt"; }

# Each command has a terminal of its own, so that nothing is typed before a shell listens, and none
# of the last one's output is taken for this one's.
environment="env -u NO_COLOR COURSE_LANG=$lang TZ=UTC"
begin() { tmux_ respawn-pane -k -t course -c "$project" "$environment $1"; }
lines=0
type_line() {
  lines=$((lines + 1))
  begin "sh -c '$1; echo end of command $lines; sleep 600'"
  await "end of command $lines"
}

tmux_ new-session -d -s course -x 80 -y 24 -c "$project" 'sleep 600'
tmux_ set-option -g remain-on-exit on

type_line './course' # never seen it before
screen 01_start
begin './course watch 02_padding/1_square'
await 'Not solved yet'
screen 02_not_solved_yet
keys h
await 'hint 1 of 3'
screen 03_hint
keys h
await 'hint 2 of 3'
keys e
await 'conflicts, not yet'
screen 04_explain
sed -i 's/\[kTile\]\[kTile\];/[kTile][kTile + 1]/' "$file" # forgot the semicolon
await 'does not compile'
screen 05_did_not_compile
sed -i 's/\[kTile + 1\]/[kTile + 1];/' "$file"
await 'Solved'
screen 06_solved
touch "$file"
await 'unchanged'
screen 07_unchanged
tmux_ resize-window -t course -x 60 -y 24
while look | grep -q 2_rectangle; do sleep 0.1; done # for which there is no room now
await 'q quit'
screen 08_narrow
tmux_ resize-window -t course -x 80 -y 24
await 2_rectangle # there is room again
keys n
await '02_padding/2_rectangle'
await 'Not solved yet'
screen 09_next
keys l
await '04_reduction/3_no_race'
screen 10_list
keys q
type_line './course'
screen 11_where_you_are
type_line './course history 1_square'
screen 12_history
type_line './course diff 1_square'
screen 13_diff
type_line './course reset 1_square | sed s/1_square[.]2.*Z/1_square.TIME/'
screen 14_reset

if [ "$update" = --update ]; then
  mkdir -p "$golden"
  rm -f "$golden"/*.txt
  cp "$work"/screens/*.txt "$golden/"
  echo "written: $(ls "$golden" | wc -l) screens; look at them"
  exit 0
fi
diff -r -u "$golden" "$work/screens" || {
  echo "The screens above differ. If they are better: --update"
  exit 1
}
echo "$(ls "$work/screens" | wc -l) screens as they should be"

#!/bin/sh
# nginx_test.sh COURSE ROOT BOOK: both configurations beside this file in a real nginx, with a certificate of their own and another
# port; who logs in is named by a second server that stands for oauth2-proxy. Exit code 77 is "skipped", with the reason.
set -eu
course=$1 root=$2 book=$3
here=$(cd "$(dirname "$0")" && pwd)
PATH=$PATH:/usr/sbin
for program in nginx openssl curl; do
  command -v $program >/dev/null || { echo "skipped: $program is not installed"; exit 77; }
done
[ -x "$(dirname "$course")/course-serve" ] || { echo "skipped: course-serve is not built"; exit 77; }

place=$(mktemp -d)
trap 'kill $server 2>/dev/null || true; [ ! -f "$place/nginx.pid" ] || kill "$(cat "$place/nginx.pid")" 2>/dev/null || true; rm -rf "$place"' EXIT
server=
mkdir "$place/class"
printf 'id,name,email\n4711,Anna,anna@uni.example\n4712,Bert,bert@uni.example\n' >"$place/class/roster.csv"
openssl req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=cuda.uni.example \
  -keyout "$place/key" -out "$place/pem" 2>/dev/null
port=$(python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')
address=https://cuda.uni.example:$port
ask() { # PATH CURL-OPTION…
  path=$1
  shift
  curl -sk --noproxy '*' --resolve "cuda.uni.example:$port:127.0.0.1" --max-time 20 "$@" "$address$path"
}
must() { # WHAT WANTED GOT
  case $3 in
    *"$2"*) ;;
    *)
      echo "$1: \"$2\" is not in: $3"
      exit 1
      ;;
  esac
}

# The configuration as it is, at this machine's places.
front() {
  {
    echo "pid $place/nginx.pid; error_log $place/errors; events {}"
    echo "http { access_log off; client_body_temp_path $place/t1; proxy_temp_path $place/t2; fastcgi_temp_path $place/t3;"
    echo "uwsgi_temp_path $place/t4; scgi_temp_path $place/t5;"
    echo "server { listen unix:$place/auth; location / { if (\$cookie_who = '') { return 401; }"
    echo "  add_header X-Auth-Request-Email \$cookie_who always; return 202; } }"
    sed -e "s|listen 443 ssl|listen 127.0.0.1:$port ssl|" -e 's|listen 80;|listen unix:'"$place"'/plain;|' \
      -e "s|/etc/ssl/certs/cuda.uni.example.pem|$place/pem|" -e "s|/etc/ssl/private/cuda.uni.example.key|$place/key|" \
      -e "s|/var/log/nginx/course.log|$place/log|" -e "s|/run/course/socket|$place/socket|" \
      -e "s|http://127.0.0.1:4180|http://unix:$place/auth:|" "$here/$1"
    echo "}"
  } >"$place/nginx.conf"
  nginx -p "$place" -c "$place/nginx.conf"
}
begin() { # LOGIN CONFIGURATION
  COURSE_ROOT=$root "$course" serve --class "$place/class" --address "$address" --login "$1" \
    --socket "$place/socket" --book "$book" >"$place/said" 2>&1 &
  server=$!
  for wait in 1 2 3 4 5 6 7 8 9 10; do
    [ -S "$place/socket" ] && break
    sleep 0.5
  done
  chmod 666 "$place/socket" # nginx's workers have another user here
  chmod 755 "$place"
  front "$2"
}
end() {
  kill "$(cat "$place/nginx.pid")"
  kill "$server"
  wait "$server" || true
  server=
  rm -f "$place/socket"
  for wait in 1 2 3 4 5 6 7 8 9 10; do
    [ -f "$place/nginx.pid" ] || break
    sleep 0.2
  done
}

begin links nginx-links.conf
link=$("$course" serve --root "$root" --class "$place/class" --address "$address" --links | sed -n 's/^4711.*,//p')
must "without a link" "Open the whole link" "$(ask /)"
entered=$(ask "/${link#"$address"/}" -i -c "$place/jar")
must "the cookie" "__Host-course=" "$entered"
must "the cookie" "Secure" "$entered"
must "by TLS alone" "Strict-Transport-Security" "$entered"
must "a page" "CUDA shared memory" "$(ask /index.html -b "$place/jar")"
state() { ask /api/state -H 'Content-Type: application/json' -d '{}' "$@"; }
must "the state" '"who":"Anna"' "$(state -b "$place/jar" -H "Origin: $address")"
must "another site" '"origin"' "$(state -b "$place/jar" -H 'Origin: https://elsewhere.example')"
case $(cat "$place/log") in
  *"${link#*key=}"*)
    echo "the log has a key"
    exit 1
    ;;
esac
end

begin header:X-Remote-User nginx-sso.conf
must "nobody logged in" "302" "$(ask /index.html -o /dev/null -w '%{http_code}')"
must "who is logged in" '"who":"Bert"' "$(state -H 'Cookie: who=bert@uni.example' -H "Origin: $address")"
must "who says to be another" '"who":"Bert"' \
  "$(state -H 'Cookie: who=bert@uni.example' -H 'X-Remote-User: anna@uni.example' -H "Origin: $address")"
must "who is not of the class" '"unknown"' "$(state -H 'Cookie: who=eve@uni.example' -H "Origin: $address")"
end
echo "both configurations hold"

#!/usr/bin/env bash
# Makes reference.json anew with reference.c (about twenty minutes). Run it here; it needs Go, and gcc with libquadmath.
set -euo pipefail
cd "$(dirname "$0")"
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
cc -O2 -Wall -o "$tmp/reference" reference.c -lquadmath
(cd ../.. && go build -o "$tmp/breadboard" ./cmd/breadboard)

row() { # TOY ROWS COLS T SCHEDULE KERNEL [PATH]
  case $1 in
    file:testdata/*) cp "${1#file:testdata/}" "$tmp/g" ;;
    *) "$tmp/breadboard" toys export "$1" > "$tmp/g" ;;
  esac
  "$tmp/reference" "$1" "$2" "$3" "$4" "$5" "$6" "${7:-geometric}" < "$tmp/g"
}

cases() {
  for toy in easy hard barrier; do
    for T in 3 30 100000 1000000; do echo "$toy 7 7 $T linear metropolis"; done
    for T in 37 1000 30000; do echo "$toy 7 7 $T sigmoid:4 metropolis"; done
    for T in 100 10000; do echo "$toy 7 7 $T linear barker"; done
    echo "$toy 7 7 500 power:2 metropolis"
    echo "$toy 7 7 2000 power:0.5 barker"
  done
  echo "easy 7 7 1000000 sigmoid:4 metropolis"
  echo "barrier 7 7 100000 power:3 metropolis"
  echo "random:2:7 7 7 500 linear metropolis"
  echo "barrier:9x9 9 9 1000 linear metropolis"
  echo "random:40:3:5x12 5 12 3000 linear metropolis"
  for kernel in metropolis barker; do
    echo "file:testdata/oblong.csv 4 9 50 sigmoid:2 $kernel"
    echo "file:testdata/oblong.csv 4 9 20000 linear $kernel"
    for T in 2 100 10000; do echo "random:300:0 7 7 $T linear $kernel"; done
    for T in 2 100 300; do echo "file:testdata/corners.csv 7 7 $T linear $kernel"; done
  done
  for toy in easy hard barrier; do
    for path in q:0 q:0.5 q:2; do
      echo "$toy 7 7 300 linear metropolis $path"
      echo "$toy 7 7 30000 sigmoid:4 metropolis $path"
    done
  done
  echo "easy 7 7 100000 linear metropolis q:0"
  echo "random:300:0 7 7 300 linear barker q:0.5"
}

{
  echo "["
  first=1
  while read -r line; do
    [ -n "$first" ] || echo ","
    first=
    # shellcheck disable=SC2086
    row $line
  done < <(cases)
  printf '\n]\n'
} > "$tmp/reference.json"
mv "$tmp/reference.json" reference.json

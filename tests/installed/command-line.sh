#!/bin/sh
# command-line.sh PROGRAM: the command line of an installed Timbre, as a user of the shell meets it, without a display.
set -eu
timbre=$1
unset DISPLAY WAYLAND_DISPLAY || :
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
export TIMBRE_DATA_DIR="$folder/data" LANG=en_GB.UTF-8

"$timbre" help
"$timbre" convert samples/harbour.wav --voice low-bronze --out "$folder/out"
test -s "$folder/out/harbour, Low bronze.wav"
"$timbre" history search harbour | grep -F 'Low bronze'
code=0
"$timbre" convert 'no such file.wav' --voice low-bronze || code=$?
test "$code" = 5

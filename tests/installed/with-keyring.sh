#!/bin/sh
# Runs a command in a D-Bus session (dbus-run-session) that has an unlocked gnome-keyring.
set -eu
printf 'smoke' | gnome-keyring-daemon --unlock --components=secrets >/dev/null
exec "$@"

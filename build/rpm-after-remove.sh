#!/bin/sh
# After an upgrade, rpm runs this of the old version when the new one is in its place.
[ "$1" -eq 0 ] || exit 0
update-alternatives --remove timbre-app /opt/Timbre/timbre-app || rm -f /usr/bin/timbre-app
profile=/etc/apparmor.d/timbre-app
if [ -f "$profile" ]; then
  apparmor_parser --remove "$profile" || true
  rm -f "$profile"
fi

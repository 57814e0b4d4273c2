import { spawnSync } from 'node:child_process';
import { createRequire } from 'node:module';

const hasProgram = (name: string): boolean => spawnSync('which', [name]).status === 0;
function hasKeytar(): boolean {
  try {
    createRequire(import.meta.url)('keytar');
    return true;
  } catch {
    return false;
  }
}
/**
 * Asks only the bus until our keyring owns its name: an earlier call to the keyring would make the bus start a second, locked one.
 * Our keyring answers before it has a default collection, so the script waits for that too.
 */
const session = (shell: string) => `
  printf secret | gnome-keyring-daemon --unlock --components=secrets --foreground >/dev/null 2>&1 &
  keyring=$!
  answers() { gdbus call --session --dest "$1" --object-path "$2" --method "$3" "$4" 2>/dev/null | grep -q "$5"; }
  until answers org.freedesktop.DBus / org.freedesktop.DBus.NameHasOwner org.freedesktop.secrets true &&
    answers org.freedesktop.secrets /org/freedesktop/secrets org.freedesktop.Secret.Service.ReadAlias default collection; do
    kill -0 $keyring || exit 70
  done
  ${shell}
  code=$?
  kill $keyring
  exit $code`;

export const canHaveKeyring = hasProgram('gnome-keyring-daemon') && hasProgram('dbus-run-session') && hasKeytar();

/** The command that runs shell lines with an unlocked keyring in a D-Bus session of its own. `"$@"` are the following arguments. */
export const keyringSession = (shell: string): readonly string[] => [
  'dbus-run-session',
  '--',
  'bash',
  '-c',
  session(shell),
  'session',
];

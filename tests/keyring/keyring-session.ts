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
 * The bus alone is asked until our keyring has its name: whoever called the keyring earlier would have the bus start a second one, which
 * is locked and keeps that name. Ours answers before it has a place to keep anything in, which is waited for too.
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

/** What runs lines of a shell beside a keyring that is unlocked, in a session that nobody else is in. `"$@"` is what stands behind it. */
export const keyringSession = (shell: string): readonly string[] => [
  'dbus-run-session',
  '--',
  'bash',
  '-c',
  session(shell),
  'session',
];

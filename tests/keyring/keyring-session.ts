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
const session = (shell: string) => `
  printf secret | gnome-keyring-daemon --unlock --components=secrets --foreground >/dev/null 2>&1 &
  keyring=$!
  until gdbus introspect --session --dest org.freedesktop.secrets --object-path /org/freedesktop/secrets >/dev/null 2>&1; do
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

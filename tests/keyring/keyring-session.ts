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
/** The service answers before it has a place to keep anything in: that is what is waited for. */
const session = (shell: string) => `
  printf secret | gnome-keyring-daemon --unlock --components=secrets --foreground >/dev/null 2>&1 &
  keyring=$!
  until gdbus call --session --dest org.freedesktop.secrets --object-path /org/freedesktop/secrets \\
    --method org.freedesktop.Secret.Service.ReadAlias default 2>/dev/null | grep -q collection; do
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

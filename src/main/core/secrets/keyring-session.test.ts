import { execFile, spawnSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';

const hasProgram = (name: string): boolean => spawnSync('which', [name]).status === 0;
function hasKeytar(): boolean {
  try {
    createRequire(import.meta.url)('keytar');
    return true;
  } catch {
    return false;
  }
}
const canRun = hasProgram('gnome-keyring-daemon') && hasProgram('dbus-run-session') && hasKeytar();

/** A keyring that is unlocked, in a session that nobody else is in; then the program that is given as arguments, with its process. */
const session = `
  printf secret | gnome-keyring-daemon --unlock --components=secrets --foreground >/dev/null 2>&1 &
  keyring=$!
  until gdbus introspect --session --dest org.freedesktop.secrets --object-path /org/freedesktop/secrets >/dev/null 2>&1; do
    kill -0 $keyring || exit 70
  done
  "$0" "$1" $keyring "$2"
  code=$?
  kill $keyring
  exit $code`;

it.skipIf(!canRun)(
  'keeps tokens of every length in a real keyring, and is not held up by one that stands still (needs keytar and gnome-keyring)',
  async () => {
    const home = await mkdtemp(join(tmpdir(), 'timbre-keyring-'));
    try {
      const { stdout } = await promisify(execFile)(
        'dbus-run-session',
        [
          '--',
          'bash',
          '-c',
          session,
          process.execPath,
          join(import.meta.dirname, 'keyring-session.fixture.ts'),
          join(home, 'data'),
        ],
        { env: { ...process.env, HOME: home, XDG_RUNTIME_DIR: home, XDG_DATA_HOME: join(home, 'share') } },
      );
      const result = JSON.parse(stdout.trim().split('\n').at(-1) ?? '') as Record<string, unknown>;
      expect(result).toMatchObject({ cleared: true, stopped: 'unavailable' });
      expect(new Set(result['places'] as unknown[])).toEqual(new Set(['keychain']));
      expect(new Set(result['kept'] as unknown[])).toEqual(new Set([true]));
      // keytar by itself answers after 25 s, and no file is read until then: four reads would be many.
      expect(result['answeredMs']).toBeLessThan(20_000);
      expect(result['reads']).toBeGreaterThan(100);
    } finally {
      await rm(home, { recursive: true, force: true });
    }
  },
);

import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { canHaveKeyring, keyringSession } from './keyring-session.ts';

const [program = '', ...session] = keyringSession('"$1" "$2" $keyring "$3"');

it.skipIf(!canHaveKeyring)(
  'stores tokens of every length in a real keyring, and is not blocked by one that hangs (needs keytar and gnome-keyring)',
  async () => {
    const home = await mkdtemp(join(tmpdir(), 'timbre-keyring-'));
    try {
      const { stdout } = await promisify(execFile)(
        program,
        [...session, process.execPath, join(import.meta.dirname, 'keeps-tokens.fixture.ts'), join(home, 'data')],
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

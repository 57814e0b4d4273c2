import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished, vi } from 'vitest';
import { relaunch } from './relaunch.ts';

function createApp() {
  return { relaunch: vi.fn(), releaseSingleInstanceLock: vi.fn() };
}

it.skipIf(process.platform === 'win32')('an AppImage is started by this one', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'timbre-relaunch-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const image = join(folder, 'Timbre 1.AppImage');
  writeFileSync(image, `#!/bin/sh\n{ pwd; printf '%s\\n' "$@"; } > "$0.part" && mv "$0.part" "$0.started"\n`);
  chmodSync(image, 0o755);
  const app = createApp();
  relaunch(app, { platform: 'linux', file: image, args: ['--hidden', 'a b'] });
  await expect.poll(() => existsSync(`${image}.started`)).toBe(true);
  expect(readFileSync(`${image}.started`, 'utf8')).toBe('/\n--hidden\na b\n');
  // Else the new one would hand over to the one that ends.
  expect(app.releaseSingleInstanceLock).toHaveBeenCalledOnce();
  expect(app.relaunch).not.toHaveBeenCalled();
});

it('the portable exe is started as the user starts it, as what it has unpacked is removed', () => {
  const app = createApp();
  relaunch(app, { platform: 'win32', file: 'E:\\Timbre.exe', args: ['--hidden'] });
  expect(app.relaunch).toHaveBeenCalledWith({ args: ['--hidden'], execPath: 'E:\\Timbre.exe' });
});

it('all others are started by Electron', () => {
  const app = createApp();
  relaunch(app, { platform: 'linux', file: null, args: [] });
  expect(app.relaunch).toHaveBeenCalledWith({ args: [] });
});

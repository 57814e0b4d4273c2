import { describe, expect, it } from 'vitest';
import { createListeners } from '../events.ts';
import type { FileDuration, Scanner, ScannerEvent } from '../scanner/scanner.ts';
import { defaultSettings } from '../../../shared/schemas/settings.ts';
import type { WatchSettings } from '../../../shared/schemas/watch.ts';
import { createNameOrder } from '../name-order.ts';
import { previewFolder } from './preview.ts';

const id = 'preview';
const settings: WatchSettings = {
  path: '/in',
  isRecursive: false,
  endings: ['.wav'],
  connectionId: 'local',
  conversion: defaultSettings.conversion,
  outputFolder: null,
  afterwards: 'keep',
  dailyMinutes: null,
  hours: null,
  hasSubfolderVoices: false,
  speech: null,
  runsHook: true,
};
const file = (path: string) => ({ path, kind: 'file', signature: {} }) as never;
const whole = (path: string): FileDuration => ({ path, seconds: 2, problem: null });

/** A preview of a scanner whose events the test emits. */
function setUp() {
  const events = createListeners<ScannerEvent>();
  const measured: (readonly string[])[] = [];
  let watched = 0;
  const scanner = {
    onEvent: events.add,
    watch: () => (watched += 1),
    unwatch: () => (watched -= 1),
    probeDurations: (_id: string, paths: readonly string[]) => measured.push(paths),
  } as unknown as Scanner;
  const preview = previewFolder({
    compareNames: createNameOrder(() => 'en'),
    scanner,
    id,
    settings,
    identity: { marker: null, device: '1', inode: '2' },
    voices: { find: () => Promise.resolve(undefined), forget: () => undefined },
    isNew: () => true,
    signal: new AbortController().signal,
  });
  return {
    preview,
    measured,
    isWatched: () => watched > 0,
    discovered: (...paths: string[]) => events.emit({ kind: 'discovered', id, files: paths.map(file) }),
    scanned: () => events.emit({ kind: 'scanned', id, ignored: 0 }),
    measure: (...paths: string[]) => events.emit({ kind: 'durations', id, files: paths.map(whole) }),
    deleted: (...paths: string[]) => events.emit({ kind: 'deleted', id, paths }),
    goOffline: () =>
      events.emit({
        kind: 'status',
        id,
        status: { mode: 'offline', everySeconds: 2, problems: [{ code: 'watch/missing' }] },
      }),
  };
}

describe('a preview', () => {
  it('counts a file that is deleted after it was measured once, and waits for all others', async () => {
    const { preview, discovered, scanned, measure, deleted } = setUp();
    discovered('a.wav', 'b.wav');
    scanned();
    measure('a.wav');
    deleted('a.wav');
    measure('b.wav');
    expect(await preview).toMatchObject({ count: 1, refused: 1, files: [{ path: 'a.wav' }, { path: 'b.wav' }] });
  });

  it('counts a file that is deleted before it is measured once', async () => {
    const { preview, discovered, scanned, measure, deleted } = setUp();
    discovered('a.wav', 'b.wav');
    scanned();
    deleted('a.wav');
    measure('a.wav', 'b.wav');
    expect(await preview).toMatchObject({ count: 1, refused: 1 });
  });

  it('does not end before the scan, however many files are deleted meanwhile', async () => {
    const { preview, discovered, scanned, measure, deleted } = setUp();
    discovered('a.wav');
    deleted('a.wav');
    await new Promise((resolve) => setImmediate(resolve));
    discovered('b.wav');
    scanned();
    measure('b.wav');
    expect(await preview).toMatchObject({ count: 1, refused: 1 });
  });

  it('measures each file once when the folder is scanned again, and leaves out what arrives later', async () => {
    const { preview, discovered, scanned, measure, measured } = setUp();
    discovered('a.wav', 'b.wav');
    scanned();
    measure('a.wav');
    discovered('a.wav', 'c.wav');
    scanned();
    measure('b.wav');
    expect(await preview).toMatchObject({ count: 2, refused: 0 });
    expect(measured).toEqual([['a.wav', 'b.wav']]);
  });

  it('of a folder that goes offline ends with the reason, and no longer watches it', async () => {
    const { preview, discovered, goOffline, isWatched } = setUp();
    discovered('a.wav');
    goOffline();
    await expect(preview).rejects.toMatchObject({ code: 'watch/missing' });
    expect(isWatched()).toBe(false);
  });
});

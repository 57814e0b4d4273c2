import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { fitPlace, readPlace, type WindowPlace, writePlace } from './window-place.ts';

const laptop = { x: 0, y: 24, width: 1280, height: 776 };
const monitor = { x: 1280, y: 0, width: 2560, height: 1440 };
const at = (x: number, y: number, width = 1000, height = 700): WindowPlace => ({
  bounds: { x, y, width, height },
  isMaximized: false,
});

describe('a window', () => {
  it('opens where the user left it', () => {
    expect(fitPlace(at(1400, 100), [laptop, monitor])).toEqual({ x: 1400, y: 100, width: 1000, height: 700 });
    expect(fitPlace(at(-500, 30), [laptop])).toEqual({ x: -500, y: 30, width: 1000, height: 700 });
  });

  it('whose display is gone opens where the system puts new windows', () => {
    expect(fitPlace(at(1400, 100), [laptop])).toEqual({ width: 1000, height: 700 });
  });

  it.each([
    ['above every display', at(100, -50)],
    ['below every display', at(100, 790)],
    ['beside every display but for a few pixels', at(1230, 100)],
  ])('whose title bar is %s does not open there', (_where, place) => {
    expect(fitPlace(place, [laptop])).toEqual({ width: 1000, height: 700 });
  });

  it('is no larger than its display', () => {
    expect(fitPlace(at(1300, 10, 2500, 1400), [laptop])).toEqual({ width: 1280, height: 776 });
  });
});

describe('the place', () => {
  let folder: string;
  beforeEach(() => void (folder = mkdtempSync(join(tmpdir(), 'timbre-place-'))));
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  it('is read as it was written', () => {
    const path = join(folder, 'window.json');
    writePlace(path, { ...at(1, 2), isMaximized: true });
    expect(readPlace(path)).toEqual({ ...at(1, 2), isMaximized: true });
  });

  it.each([
    ['no file', undefined],
    ['an empty file', ''],
    ['another file', '{"bounds":{"x":"left"},"isMaximized":1}'],
  ])('is the default with %s', (_what, content) => {
    const path = join(folder, 'window.json');
    if (content !== undefined) writeFileSync(path, content);
    expect(readPlace(path)).toBeUndefined();
  });

  it('that cannot be written is lost without an error', () => {
    const path = join(folder, 'window.json');
    mkdirSync(path);
    writePlace(path, at(1, 2));
    expect(readPlace(path)).toBeUndefined();
  });
});

import type { Item } from 'electron';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { dragOut } from './drag-out.ts';

const icon = join(import.meta.dirname, '../../../build/icons/64x64.png');

it('drags all files at once with a picture that exists', () => {
  const dragged: Item[] = [];
  dragOut({ startDrag: (item) => dragged.push(item) }, ['/a.wav', '/b.wav'], icon);
  expect(dragged).toEqual([{ file: '/a.wav', files: ['/a.wav', '/b.wav'], icon }]);
  expect(existsSync(icon)).toBe(true);
});

it('rejects with its own code if nothing can be dragged', () => {
  const refuse = () => {
    throw new Error('host: webContents.startDrag is not implemented');
  };
  expect(() => dragOut({ startDrag: refuse }, ['/a.wav'], icon)).toThrow(
    expect.objectContaining({ code: 'history/no-drag' }),
  );
  expect(() => dragOut(undefined, ['/a.wav'], icon)).toThrow(expect.objectContaining({ code: 'history/no-drag' }));
});

import { expect, test } from 'vitest';
import { belowTitleBar, initialBounds, parseColor } from './window-geometry.mts';

const screen = { width: 1280, height: 800 };

test('a window without a position is centred, and never placed beyond the upper left corner', () => {
  expect(initialBounds({ width: 680, height: 400 }, screen)).toEqual({ x: 300, y: 200, width: 680, height: 400 });
  expect(initialBounds({ width: 2000, height: 900 }, screen)).toMatchObject({ x: 0, y: 0 });
  expect(initialBounds({ x: 0, y: 5 }, screen)).toEqual({ x: 0, y: 5, width: 800, height: 600 });
});

test('colours are hexadecimal, short or long, and others are rejected', () => {
  expect(parseColor('#0f8')).toEqual({ r: 0, g: 255, b: 136, a: 1 });
  expect(parseColor('#102030')).toEqual({ r: 16, g: 32, b: 48, a: 1 });
  expect(() => parseColor('white')).toThrow('host: BrowserWindow background colour white is not implemented');
});

test('a window is moved below its title bar, unless the screen is only as high as its page', () => {
  const free = { availTop: 0, availHeight: 1000 };
  expect(belowTitleBar(0, 800, free)).toBe(40);
  expect(belowTitleBar(100, 800, free)).toBe(100);
  expect(belowTitleBar(0, 800, { availTop: 30, availHeight: 970 })).toBe(70);
  expect(belowTitleBar(0, 1000, free)).toBe(0);
  expect(belowTitleBar(0, 1100, free)).toBe(40);
});

import { EventEmitter } from 'node:events';
import type Electron from 'electron';
import { strict } from '../strict.mts';

/** One display of a fixed size in DIP, because the API is synchronous and Chromium is not. */
export const screenSize: Electron.Size = { width: 1280, height: 800 };

/** Electron's `screen`. Windows within its bounds are visible on any real screen of at least this size. */
export function createScreen(): Electron.Screen {
  const area = { x: 0, y: 0, ...screenSize };
  const display = strict('Display', {
    id: 1,
    label: 'host',
    scaleFactor: 1,
    rotation: 0,
    bounds: area,
    workArea: area,
    size: screenSize,
    workAreaSize: screenSize,
  } satisfies Partial<Electron.Display>) as unknown as Electron.Display;
  const members = {
    getPrimaryDisplay: () => display,
    getAllDisplays: () => [display],
    getDisplayMatching: () => display,
  } satisfies Partial<Electron.Screen>;
  return strict('screen', Object.assign(new EventEmitter(), members)) as unknown as Electron.Screen;
}

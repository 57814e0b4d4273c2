import { EventEmitter } from 'node:events';
import type Electron from 'electron';
import { surroundings } from '../launch/surroundings.mts';
import { strict } from '../strict.mts';

/** Icons are not shown, since Chromium has no place for them. A second start of the app brings its window back. */
export class Tray extends EventEmitter {
  private destroyed = false;

  constructor(image: Electron.NativeImage | string) {
    super();
    if (image === '') throw new Error('Failed to load image from path');
    if (!surroundings().isReady()) throw new Error('Cannot create Tray before app is ready');
    return strict('Tray', this);
  }

  // No-ops, which tests replace to see what the tray would show.
  setImage(): void {}
  setToolTip(): void {}
  setContextMenu(): void {}

  destroy(): void {
    this.destroyed = true;
  }

  isDestroyed(): boolean {
    return this.destroyed;
  }
}

import { writeFileSync } from 'node:fs';
import type { Rectangle } from 'electron';
import * as v from 'valibot';
import { readTextSync } from '../core/files/content.ts';

/** Where the user left the window, in DIP. `bounds` are those of the window while it is neither maximized nor full screen. */
export interface WindowPlace {
  readonly bounds: Rectangle;
  readonly isMaximized: boolean;
}

const stored = v.object({
  bounds: v.object({ x: v.number(), y: v.number(), width: v.number(), height: v.number() }),
  isMaximized: v.boolean(),
});

/** A window needs this much of its title bar on a display to be moved with the mouse, in DIP. */
const graspable = { width: 100, height: 24 };

function isGraspable({ x, y, width }: Rectangle, area: Rectangle): boolean {
  const overlap = Math.min(x + width, area.x + area.width) - Math.max(x, area.x);
  return overlap >= graspable.width && y >= area.y && y + graspable.height <= area.y + area.height;
}

/**
 * Fits a place to the displays that are there now, whose work areas are given. A window that no display
 * would show, because a display was unplugged or another one is smaller, is shown with its size where the
 * system puts new windows.
 */
export function fitPlace(place: WindowPlace, areas: readonly Rectangle[]): Partial<Rectangle> {
  const { bounds } = place;
  const area = areas.find((one) => isGraspable(bounds, one));
  const largest = area ?? areas[0];
  if (!largest) return {};
  const size = { width: Math.min(bounds.width, largest.width), height: Math.min(bounds.height, largest.height) };
  return area ? { x: bounds.x, y: bounds.y, ...size } : size;
}

/** Undefined for a missing or damaged file: the window then opens with its default size. */
export function readPlace(path: string): WindowPlace | undefined {
  try {
    const place = v.safeParse(stored, JSON.parse(readTextSync(path)));
    return place.success ? place.output : undefined;
  } catch {
    return undefined;
  }
}

/** Losing a place does no harm, so a full disk is not reported. */
export function writePlace(path: string, place: WindowPlace): void {
  try {
    writeFileSync(path, JSON.stringify(place));
  } catch {
    // The next start opens the window where the last written place has it.
  }
}

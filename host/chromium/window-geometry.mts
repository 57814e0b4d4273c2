// Window sizes in DIP: Electron's semantics within the limits of Chromium's windows.
import type Electron from 'electron';
import type { Protocol, Session } from './cdp.mts';
import { notImplemented } from '../strict.mts';

/** Minimum width of a Chromium window; for a narrower page the metrics are overridden instead. */
const narrowestWindowPx = 500;

/** Maximum height of a title bar, which Chromium does not include. */
const titleBarPx = 40;

/** Bounds of a new window: as requested, otherwise centred on the screen. */
export function initialBounds(options: Partial<Electron.Rectangle>, screen: Electron.Size): Electron.Rectangle {
  const { width = 800, height = 600, x, y } = options;
  return {
    width,
    height,
    x: x ?? Math.max(0, Math.floor((screen.width - width) / 2)),
    y: y ?? Math.max(0, Math.floor((screen.height - height) / 2)),
  };
}

/** Changes the window that shows the session's page. */
export async function setWindowBounds(session: Session, bounds: Protocol.Browser.Bounds): Promise<void> {
  const { windowId } = await session.send('Browser.getWindowForTarget');
  await session.send('Browser.setWindowBounds', { windowId, bounds });
}

/** Moves a window down so that its title bar is visible, as far as the screen has room. */
export function belowTitleBar(y: number, height: number, screen: { availTop: number; availHeight: number }): number {
  const spare = screen.availHeight - height;
  return Math.max(y, screen.availTop + (spare < 0 ? titleBarPx : Math.min(spare, titleBarPx)));
}

/** Sets the exact size of the page, excluding the window frame. A zoomed page has fewer, larger CSS pixels. */
export async function setPageSize(session: Session, { width, height }: Electron.Size, zoomFactor = 1): Promise<void> {
  const isNarrow = width < narrowestWindowPx;
  if (!isNarrow) {
    if (zoomFactor === 1) await session.send('Emulation.clearDeviceMetricsOverride');
    const { windowId } = await session.send('Browser.getWindowForTarget');
    await session.send('Browser.setContentsSize', { windowId, width, height });
  }
  if (!isNarrow && zoomFactor === 1) return;
  await session.send('Emulation.setDeviceMetricsOverride', {
    width: Math.round(width / zoomFactor),
    height: Math.round(height / zoomFactor),
    deviceScaleFactor: zoomFactor === 1 ? 0 : zoomFactor,
    mobile: false,
  });
}

/** Converts `#rgb` or `#rrggbb` for DevTools. Throws for Electron's other colour formats. */
export function parseColor(color: string): Protocol.DOM.RGBA {
  const digits = /^#([0-9a-f]{3}|[0-9a-f]{6})$/i.exec(color)?.[1];
  if (digits === undefined) throw notImplemented(`BrowserWindow background colour ${color}`);
  const full = digits.length === 3 ? digits.replace(/./g, '$&$&') : digits;
  const [r = 0, g = 0, b = 0] = [0, 2, 4].map((at) => parseInt(full.slice(at, at + 2), 16));
  return { r, g, b, a: 1 };
}

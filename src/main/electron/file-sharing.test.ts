import type { BrowserWindow, ClipboardItem, Item, PopupOptions, SharingItem } from 'electron';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { clipboardFormats, copyFiles, dragFiles, shareFiles } from './file-sharing.ts';

it('files are copied on Linux as all file managers paste them', () => {
  expect(clipboardFormats(['/out/größe #1.wav', '/out/b.wav'], 'linux')).toEqual({
    'text/plain': '/out/größe #1.wav\n/out/b.wav',
    'electron application/osclipboard;format="text/uri-list"':
      'file:///out/gr%C3%B6%C3%9Fe%20%231.wav\r\nfile:///out/b.wav\r\n',
    'electron application/osclipboard;format="x-special/gnome-copied-files"':
      'copy\nfile:///out/gr%C3%B6%C3%9Fe%20%231.wav\nfile:///out/b.wav',
  });
});

it('files are copied on macOS as a property list, whatever their names', () => {
  const [[name, content] = ['', '']] = Object.entries(clipboardFormats(['/out/a & <b>.wav'], 'darwin'));
  expect(name).toBe('electron application/osclipboard;format="NSFilenamesPboardType"');
  expect(content).toContain('<array><string>/out/a &amp; &lt;b&gt;.wav</string></array>');
});

it('all formats are written at once', async () => {
  const written: Record<string, unknown>[] = [];
  class Copied {
    readonly content: Record<string, unknown>;
    constructor(content: Record<string, unknown>) {
      this.content = content;
    }
  }
  const clipboard = {
    write: (items: readonly unknown[]) =>
      Promise.resolve(void written.push(...(items as Copied[]).map((item) => item.content))),
  };
  await copyFiles(['/a.wav'], {
    clipboard,
    ClipboardItem: Copied as unknown as typeof ClipboardItem,
    platform: 'linux',
  });
  expect(written).toHaveLength(1);
  const uris = written[0]?.['electron application/osclipboard;format="text/uri-list"'] as Blob;
  expect([written[0]?.['text/plain'], await uris.text()]).toEqual(['/a.wav', 'file:///a.wav\r\n']);
});

it('files are shared from the window, or without one', () => {
  const shown: unknown[] = [];
  class ShareMenu {
    private readonly item: SharingItem;
    constructor(item: SharingItem) {
      this.item = item;
    }
    popup(options?: PopupOptions) {
      shown.push([this.item, options]);
    }
    closePopup() {
      expect.unreachable();
    }
  }
  const window = { id: 7 } as unknown as BrowserWindow;
  shareFiles(['/a.wav', '/b.wav'], { ShareMenu, window });
  shareFiles(['/a.wav'], { ShareMenu, window: undefined });
  expect(shown).toEqual([
    [{ filePaths: ['/a.wav', '/b.wav'] }, { window }],
    [{ filePaths: ['/a.wav'] }, undefined],
  ]);
});

it('a clipboard or a system that refuses is an error with its own code', async () => {
  function Refusing(): never {
    throw new Error('not implemented');
  }
  const clipboard = { write: () => Promise.resolve() };
  const copied = copyFiles(['/a.wav'], { clipboard, ClipboardItem: Refusing as never, platform: 'linux' });
  await expect(copied).rejects.toMatchObject({ code: 'history/no-transfer' });
  expect(() => shareFiles(['/a.wav'], { ShareMenu: Refusing as never, window: undefined })).toThrow(
    expect.objectContaining({ code: 'history/no-transfer' }),
  );
});

const icon = join(import.meta.dirname, '../../../build/icons/64x64.png');

it('files are dragged all at once with a picture that exists', () => {
  const dragged: Item[] = [];
  dragFiles(['/a.wav', '/b.wav'], { contents: { startDrag: (item) => dragged.push(item) }, icon });
  expect(dragged).toEqual([{ file: '/a.wav', files: ['/a.wav', '/b.wav'], icon }]);
  expect(existsSync(icon)).toBe(true);
});

it('a drag that the system refuses, or that has no page, is an error with its own code', () => {
  const refuse = () => {
    throw new Error('host: webContents.startDrag is not implemented');
  };
  expect(() => dragFiles(['/a.wav'], { contents: { startDrag: refuse }, icon })).toThrow(
    expect.objectContaining({ code: 'history/no-drag' }),
  );
  expect(() => dragFiles(['/a.wav'], { contents: undefined, icon })).toThrow(
    expect.objectContaining({ code: 'history/no-drag' }),
  );
});

import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { pageScript } from './page.mts';

/** Runs the script with only the globals of a page. */
function runInPage(page: Record<string, unknown>, script: string): unknown {
  return runInNewContext(script, { window: page, self: { origin: 'http://x' }, structuredClone, Blob, File });
}

test('what is sent to the page is a self-contained script without imports or outer names', () => {
  const script = pageScript({ key: 'k', subFrames: false }, 'exports.ran = true;');
  expect(script).not.toMatch(/__vi|import\(/);
  expect(runInPage({}, script)).toBeUndefined();
});

test('a page loses the binding and runs the preload with electron to require', () => {
  const posted: string[] = [];
  const page: Record<string, unknown> = { k: (message: string) => posted.push(message) };
  page['top'] = page;
  const preload = `
    const { contextBridge, ipcRenderer } = require('electron');
    contextBridge.exposeInMainWorld('api', { ask: (value) => ipcRenderer.invoke('ask', value) });
  `;
  runInPage(page, pageScript({ key: 'k', subFrames: false }, preload));
  expect('k' in page).toBe(false);
  void (page['api'] as { ask(value: unknown): Promise<unknown> }).ask(5);
  expect(posted.map((text) => JSON.parse(text) as unknown)).toEqual([
    { kind: 'invoke', id: 1, channel: 'ask', origin: 'http://x', args: '[5]' },
  ]);
});

test('an iframe gets no preload unless its window enables it, and never keeps the binding', () => {
  const run = (subFrames: boolean) => {
    const page: Record<string, unknown> = { top: {}, k: () => undefined };
    runInPage(page, pageScript({ key: 'k', subFrames }, 'window.ran = true;'));
    return [page['ran'], 'k' in page];
  };
  expect(run(false)).toEqual([undefined, false]);
  expect(run(true)).toEqual([true, false]);
});

import { expect, it, vi } from 'vitest';
import { page } from 'vitest/browser';
import { messages, renderInApp } from '../../lib/render.fixture.ts';
import FolderNotices from './FolderNotices.svelte';
import { folderOf } from './watch.fixture.ts';

it.each([
  [1, '1 recording was already here', 'Convert it'],
  [2, '2 recordings were already here', 'Convert all'],
])('asks about the %i that were there before', async (files, question, button) => {
  const onanswer = vi.fn();
  await renderInApp(FolderNotices, {
    folder: folderOf('f', { baseline: { files, texts: 0, seconds: 3, isMeasured: true } }),
    isConnected: true,
    preset: null,
    onpreset: vi.fn(),
    onedit: vi.fn(),
    onanswer,
  });
  const words = page.getByRole('paragraph').element().textContent.replace(/\s+/g, ' ');
  expect(words).toContain(question);
  expect(words).toContain('What should happen to what’s already here?');
  await page.getByRole('button', { name: button }).click();
  expect(onanswer).toHaveBeenCalledExactlyOnceWith('convert');
});

it('says that jobs resume by themselves once a missing results folder is back', async () => {
  const results = '/media/anna/Converted';
  await renderInApp(FolderNotices, {
    folder: folderOf('f', { problems: [{ code: 'output/folder-missing', facts: { folder: results } }] }),
    isConnected: true,
    preset: null,
    onpreset: vi.fn(),
    onedit: vi.fn(),
    onanswer: vi.fn(),
  });
  expect(page.getByRole('paragraph').element().textContent).toContain(
    messages.queue.disk.reconnect({ folder: results }),
  );
});

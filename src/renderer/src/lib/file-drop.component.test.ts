import { expect, test } from 'vitest';
import { createInternalDrag, FileDrop } from './file-drop.svelte.ts';

function dragOver(element: HTMLElement, data: DataTransfer): boolean {
  const fail = () => expect.fail('nothing was dropped');
  const state = new FileDrop({
    internalDrag: createInternalDrag(),
    isBlocked: () => false,
    onDrop: fail,
    onRecording: fail,
    onFolders: fail,
  });
  document.body.append(element);
  element.addEventListener('dragover', (event) => state.over(event));
  const event = new DragEvent('dragover', { dataTransfer: data, bubbles: true, cancelable: true });
  element.dispatchEvent(event);
  element.remove();
  return !event.defaultPrevented;
}

function words(): DataTransfer {
  const data = new DataTransfer();
  data.setData('text/plain', 'gulls');
  return data;
}

test('text is dropped where it can be written, by the browser, and nowhere else', () => {
  const editable = document.createElement('div');
  editable.contentEditable = 'true';
  for (const field of [document.createElement('input'), document.createElement('textarea'), editable])
    expect(dragOver(field, words())).toBe(true);
  expect(dragOver(document.createElement('div'), words())).toBe(false);
});

test('files are never left to the browser, which would open them', () => {
  const data = new DataTransfer();
  data.items.add(new File([], 'a.wav'));
  expect(dragOver(document.createElement('textarea'), data)).toBe(false);
});

function paste(element: HTMLElement, ...types: readonly string[]) {
  const added: string[] = [];
  const fail = () => expect.fail('nothing was dropped');
  const state = new FileDrop({
    internalDrag: createInternalDrag(),
    isBlocked: () => false,
    onDrop: (files) => added.push(...files.map(({ type }) => type)),
    onRecording: fail,
    onFolders: fail,
  });
  const data = words();
  types.forEach((type, k) => data.items.add(new File([], `${k}`, { type })));
  document.body.append(element);
  element.addEventListener('paste', (event) => state.paste(event));
  const event = new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true });
  element.dispatchEvent(event);
  element.remove();
  return { added, isText: !event.defaultPrevented };
}

test('cells of a spreadsheet are pasted into a field as text, although they come with a picture', () => {
  expect(paste(document.createElement('textarea'), 'image/png')).toEqual({ added: [], isText: true });
});

test('recordings that are pasted are added, also in a field', () => {
  expect(paste(document.createElement('textarea'), 'audio/wav')).toEqual({ added: ['audio/wav'], isText: false });
  expect(paste(document.createElement('div'), 'image/png')).toEqual({ added: ['image/png'], isText: false });
});

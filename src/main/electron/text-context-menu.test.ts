import { expect, it } from 'vitest';
import { loadDesktopMessages } from '../../shared/messages/desktop.ts';
import { textContextMenu } from './text-context-menu.ts';

const en = await loadDesktopMessages('en');
const de = await loadDesktopMessages('de');

const all = { canUndo: true, canRedo: true, canCut: true, canCopy: true, canPaste: true, canSelectAll: true };
const field = { isEditable: true, selectionText: '', editFlags: all };

it('a text field has the commands of an editor, in the language of the app', () => {
  expect(textContextMenu(field, en.textContextMenu).map(({ role, type }) => role ?? type)).toEqual([
    'undo',
    'redo',
    'separator',
    'cut',
    'copy',
    'paste',
    'separator',
    'selectAll',
  ]);
  expect(textContextMenu(field, de.textContextMenu).find(({ role }) => role === 'paste')?.label).toBe('Einfügen');
});

it('what cannot be done now is disabled', () => {
  const menu = textContextMenu(
    { ...field, editFlags: { ...all, canPaste: false, canUndo: false } },
    en.textContextMenu,
  );
  expect(menu.filter(({ enabled }) => enabled === false).map(({ role }) => role)).toEqual(['undo', 'paste']);
});

it('selected text can be copied, and anything else has no menu', () => {
  const text = { isEditable: false, selectionText: 'The disk is full', editFlags: all };
  expect(textContextMenu(text, en.textContextMenu).map(({ role }) => role)).toEqual(['copy']);
  expect(textContextMenu({ ...text, selectionText: ' \n' }, en.textContextMenu)).toEqual([]);
});

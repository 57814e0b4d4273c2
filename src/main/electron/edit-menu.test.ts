import { expect, it } from 'vitest';
import { de } from '../../shared/messages/de.ts';
import { en } from '../../shared/messages/en.ts';
import { editMenu } from './edit-menu.ts';

const all = { canUndo: true, canRedo: true, canCut: true, canCopy: true, canPaste: true, canSelectAll: true };
const field = { isEditable: true, selectionText: '', editFlags: all };

it('a text field has the commands of an editor, in the language of the app', () => {
  expect(editMenu(field, en.editMenu).map(({ role, type }) => role ?? type)).toEqual([
    'undo',
    'redo',
    'separator',
    'cut',
    'copy',
    'paste',
    'separator',
    'selectAll',
  ]);
  expect(editMenu(field, de.editMenu).find(({ role }) => role === 'paste')?.label).toBe('Einfügen');
});

it('what cannot be done now is disabled', () => {
  const menu = editMenu({ ...field, editFlags: { ...all, canPaste: false, canUndo: false } }, en.editMenu);
  expect(menu.filter(({ enabled }) => enabled === false).map(({ role }) => role)).toEqual(['undo', 'paste']);
});

it('selected text can be copied, and anything else has no menu', () => {
  const text = { isEditable: false, selectionText: 'The disk is full', editFlags: all };
  expect(editMenu(text, en.editMenu).map(({ role }) => role)).toEqual(['copy']);
  expect(editMenu({ ...text, selectionText: ' \n' }, en.editMenu)).toEqual([]);
});

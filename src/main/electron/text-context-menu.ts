import type { ContextMenuParams, MenuItemConstructorOptions } from 'electron';
import type { DesktopMessages } from '../../shared/messages/desktop.ts';

type Clicked = Pick<ContextMenuParams, 'isEditable' | 'selectionText'> & {
  readonly editFlags: Pick<
    ContextMenuParams['editFlags'],
    'canUndo' | 'canRedo' | 'canCut' | 'canCopy' | 'canPaste' | 'canSelectAll'
  >;
};

/**
 * The menu of a text field or of selected text, which Electron does not have; empty elsewhere. The labels
 * are ours because Electron has its roles in English only.
 */
export function textContextMenu(
  { isEditable, selectionText, editFlags }: Clicked,
  t: DesktopMessages['textContextMenu'],
): MenuItemConstructorOptions[] {
  const copy: MenuItemConstructorOptions = { role: 'copy', label: t.copy, enabled: editFlags.canCopy };
  if (!isEditable) return selectionText.trim() === '' ? [] : [copy];
  return [
    { role: 'undo', label: t.undo, enabled: editFlags.canUndo },
    { role: 'redo', label: t.redo, enabled: editFlags.canRedo },
    { type: 'separator' },
    { role: 'cut', label: t.cut, enabled: editFlags.canCut },
    copy,
    { role: 'paste', label: t.paste, enabled: editFlags.canPaste },
    { type: 'separator' },
    { role: 'selectAll', label: t.selectAll, enabled: editFlags.canSelectAll },
  ];
}

import Copy from '@lucide/svelte/icons/copy';
import Download from '@lucide/svelte/icons/download';
import FolderOpen from '@lucide/svelte/icons/folder-open';
import Play from '@lucide/svelte/icons/play';
import RotateCcw from '@lucide/svelte/icons/rotate-ccw';
import SlidersHorizontal from '@lucide/svelte/icons/sliders-horizontal';
import Star from '@lucide/svelte/icons/star';
import Tag from '@lucide/svelte/icons/tag';
import Trash2 from '@lucide/svelte/icons/trash-2';
import UserRound from '@lucide/svelte/icons/user-round';
import type { Messages } from '../../../../shared/messages/index.ts';
import type { HistoryRow } from '../../../../shared/schemas/history.ts';
import type { MenuItem } from '../../ui/menu-item.ts';

/** What can be done to the entries that are chosen. */
export interface EntryActions {
  readonly again: () => void;
  readonly changed: (row: HistoryRow) => void;
  readonly otherVoice: () => void;
  readonly copy: () => void;
  readonly tags: () => void;
  readonly favourite: () => void;
  readonly exportTo: (what: 'list' | 'sound') => void;
  readonly remove: () => void;
  readonly listen: (row: HistoryRow) => void;
  readonly show: (row: HistoryRow) => void;
}

interface Chosen {
  /** The entry, where it is one alone. */
  readonly only: HistoryRow | undefined;
  readonly isFavourite: boolean;
}

/** What can be done to one entry and to several, in the order of the menu. Several have only a voice in common that can be another. */
export function entryMenu(
  { only, isFavourite }: Chosen,
  deeds: EntryActions,
  { history: { actions: t } }: Messages,
): readonly MenuItem[] {
  return [
    { label: t.repeat, icon: RotateCcw, onchoose: deeds.again },
    only
      ? { label: t.repeatWithChanges, icon: SlidersHorizontal, onchoose: () => deeds.changed(only) }
      : { label: t.repeatWithVoice, icon: UserRound, onchoose: deeds.otherVoice },
    { label: t.copy, icon: Copy, onchoose: deeds.copy },
    { label: t.tags, icon: Tag, onchoose: deeds.tags },
    { label: isFavourite ? t.removeFavourite : t.favourite, icon: Star, onchoose: deeds.favourite },
    { label: t.export, icon: Download, onchoose: () => deeds.exportTo('list') },
    { label: t.exportSound, icon: Download, onchoose: () => deeds.exportTo('sound') },
    { label: t.remove, icon: Trash2, isDestructive: true, onchoose: deeds.remove },
  ];
}

/** What stands before that in the menu of one entry. */
export function soundActions(
  row: HistoryRow,
  deeds: EntryActions,
  { history: { actions: t } }: Messages,
): readonly MenuItem[] {
  const canListen = row.resultMedia !== null || row.sourceMedia !== null;
  return [
    ...(canListen ? [{ label: t.listen, icon: Play, onchoose: () => deeds.listen(row) }] : []),
    ...(row.resultMedia === null ? [] : [{ label: t.show, icon: FolderOpen, onchoose: () => deeds.show(row) }]),
  ];
}

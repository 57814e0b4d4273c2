import {
  ArchiveRestore,
  Copy,
  Download,
  FolderOpen,
  Play,
  RotateCcw,
  SlidersHorizontal,
  Star,
  Tag,
  Trash2,
  Upload,
  UserRound,
  UsersRound,
} from 'lucide';
import type { Messages } from '../../../../shared/messages/index.ts';
import type { AppInfo } from '../../../../shared/schemas/app.ts';
import type { HistoryRow } from '../../../../shared/schemas/history.ts';
import type { MenuItem } from '../../ui/menu-item.ts';

/** The commands on the selected entries. */
export interface EntryActions {
  readonly repeat: () => void;
  readonly repeatWithChanges: (row: HistoryRow) => void;
  readonly repeatWithVoice: () => void;
  readonly copy: () => void;
  readonly copyFiles: () => void;
  readonly share: () => void;
  readonly tags: () => void;
  readonly favourite: () => void;
  readonly export: (what: 'list' | 'sound') => void;
  readonly restore: () => void;
  readonly remove: () => void;
  readonly listen: (row: HistoryRow) => void;
  readonly show: (row: HistoryRow) => void;
  /** Hears voices on the original. */
  readonly tryVoices: (row: HistoryRow) => void;
}

interface Selected {
  /** The entry, if exactly one is selected. */
  readonly only: HistoryRow | undefined;
  readonly isFavourite: boolean;
  /** A result among them can be restored. */
  readonly hasCopy: boolean;
  /** What the system can do with their files. */
  readonly fileActions: AppInfo['fileActions'];
}

export const repeatLabel = ({ kind }: HistoryRow, { speech, problemActions }: Messages): string =>
  (kind === 'speech' ? speech.actions : problemActions)['convert-again'];

/** The menu of one or several entries. Of several only the voice can be changed, since their kinds may differ. */
export function entryMenu(
  { only, isFavourite, hasCopy, fileActions }: Selected,
  actions: EntryActions,
  messages: Messages,
): readonly MenuItem[] {
  const t = messages.history.actions;
  return [
    { label: only ? repeatLabel(only, messages) : t.repeat, icon: RotateCcw, onchoose: actions.repeat },
    only
      ? {
          label: only.kind === 'speech' ? t.speakWithChanges : t.repeatWithChanges,
          icon: SlidersHorizontal,
          onchoose: () => actions.repeatWithChanges(only),
        }
      : { label: t.repeatWithVoice, icon: UserRound, onchoose: actions.repeatWithVoice },
    { label: only ? t.copy : t.copyPaths, icon: Copy, onchoose: actions.copy },
    ...(fileActions.includes('copy')
      ? [{ label: only ? t.copyFile : t.copyFiles, icon: Copy, onchoose: actions.copyFiles }]
      : []),
    ...(fileActions.includes('share') ? [{ label: t.share, icon: Upload, onchoose: actions.share }] : []),
    { label: t.tags, icon: Tag, onchoose: actions.tags },
    { label: isFavourite ? t.removeFavourite : t.favourite, icon: Star, onchoose: actions.favourite },
    { label: t.export, icon: Download, onchoose: () => actions.export('list') },
    { label: t.exportSound, icon: Download, onchoose: () => actions.export('sound') },
    ...(hasCopy ? [{ label: t.restore, icon: ArchiveRestore, onchoose: actions.restore }] : []),
    { label: t.remove, icon: Trash2, isDestructive: true, onchoose: actions.remove },
  ];
}

/** The first items in the menu of one entry. */
export function soundActions(
  row: HistoryRow,
  actions: EntryActions,
  { history: { actions: t } }: Messages,
): readonly MenuItem[] {
  const canListen = row.resultMedia !== null || row.sourceMedia !== null;
  return [
    ...(canListen ? [{ label: t.listen, icon: Play, onchoose: () => actions.listen(row) }] : []),
    ...(row.resultMedia === null ? [] : [{ label: t.show, icon: FolderOpen, onchoose: () => actions.show(row) }]),
    ...(row.sourceMedia === null
      ? []
      : [{ label: t.tryVoices, icon: UsersRound, onchoose: () => actions.tryVoices(row) }]),
  ];
}

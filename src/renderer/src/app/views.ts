import {
  AudioLines,
  Fingerprint,
  FolderSync,
  History,
  Settings2,
  Stethoscope,
  TextQuote,
  UsersRound,
  type IconNode,
} from 'lucide';
import type { ViewId } from '../../../shared/schemas/app.ts';

export interface ViewEntry {
  readonly id: ViewId;
  readonly icon: IconNode;
  /** Where the sidebar shows it. */
  readonly section: 'top' | 'bottom';
}

/** All views in the order of the sidebar and of Ctrl 1 to 8. */
export const views: readonly ViewEntry[] = [
  { id: 'convert', icon: AudioLines, section: 'top' },
  { id: 'watch', icon: FolderSync, section: 'top' },
  { id: 'voices', icon: UsersRound, section: 'top' },
  { id: 'speech', icon: TextQuote, section: 'top' },
  { id: 'history', icon: History, section: 'top' },
  { id: 'models', icon: Fingerprint, section: 'top' },
  { id: 'settings', icon: Settings2, section: 'bottom' },
  { id: 'diagnostics', icon: Stethoscope, section: 'bottom' },
];

import AudioLines from '@lucide/svelte/icons/audio-lines';
import Fingerprint from '@lucide/svelte/icons/fingerprint';
import FolderSync from '@lucide/svelte/icons/folder-sync';
import History from '@lucide/svelte/icons/history';
import Settings2 from '@lucide/svelte/icons/settings-2';
import Stethoscope from '@lucide/svelte/icons/stethoscope';
import TextQuote from '@lucide/svelte/icons/text-quote';
import UsersRound from '@lucide/svelte/icons/users-round';
import type { Component } from 'svelte';
import type { ViewId } from '../../../shared/schemas/app.ts';

export interface ViewEntry {
  readonly id: ViewId;
  readonly icon: Component<{ size?: number }>;
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

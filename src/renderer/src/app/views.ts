import AudioLines from '@lucide/svelte/icons/audio-lines';
import Fingerprint from '@lucide/svelte/icons/fingerprint';
import FolderSync from '@lucide/svelte/icons/folder-sync';
import History from '@lucide/svelte/icons/history';
import Settings2 from '@lucide/svelte/icons/settings-2';
import Stethoscope from '@lucide/svelte/icons/stethoscope';
import TextQuote from '@lucide/svelte/icons/text-quote';
import UsersRound from '@lucide/svelte/icons/users-round';
import type { Component } from 'svelte';
import type { ViewId } from '../lib/shell.svelte.ts';

export interface ViewEntry {
  readonly id: ViewId;
  readonly icon: Component<{ size?: number }>;
  /** Work stands at the head of the rail, in the order of the work; the rest at its foot. */
  readonly place: 'head' | 'foot';
}

/** Every view there is, in the order of the rail; Ctrl 1 to 8 follow it. A view that is added here is in the window. */
export const views: readonly ViewEntry[] = [
  { id: 'convert', icon: AudioLines, place: 'head' },
  { id: 'watch', icon: FolderSync, place: 'head' },
  { id: 'voices', icon: UsersRound, place: 'head' },
  { id: 'speech', icon: TextQuote, place: 'head' },
  { id: 'history', icon: History, place: 'head' },
  { id: 'models', icon: Fingerprint, place: 'head' },
  { id: 'settings', icon: Settings2, place: 'foot' },
  { id: 'diagnostics', icon: Stethoscope, place: 'foot' },
];

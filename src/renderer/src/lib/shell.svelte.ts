import type { Problem } from '../../../shared/errors.ts';
import { type JobListId, type ViewId, viewIds } from '../../../shared/schemas/app.ts';
import { pageStorage } from './page-storage.ts';

const storageKey = 'view';

/** Sections of Settings, from top to bottom. */
export const settingsSections = [
  'appearance',
  'language',
  'keyboard',
  'background',
  'output',
  'copies',
  'pronunciations',
  'takes',
  'hook',
  'ffmpeg',
  'connections',
  'network',
  'proxy',
  'updates',
  'about',
] as const;

/** A place in Settings that a notice or a command leads to. */
export interface SettingsPlace {
  readonly part: (typeof settingsSections)[number] | 'token' | 'test' | 'document';
  /** Null is the selected connection. Only for the parts of a connection. */
  readonly connectionId: string | null;
}

/** The frame around the views: which view and panels are open, and what the window announces. */
export class Shell {
  view = $state<ViewId>('convert');
  /** Changes when the focus goes into the view. */
  viewEntries = $state(0);
  /** The list of jobs that Convert shows. */
  jobList = $state<JobListId>('queue');
  /** Whether the side panel is open as a sheet, in a narrow window. */
  isSidePanelOpen = $state(false);
  isVoicePickerOpen = $state(false);
  isShortcutsOpen = $state(false);
  isPaletteOpen = $state(false);
  /** Where Settings opens; it resets this once it has the focus there. */
  settingsPlace = $state.raw<SettingsPlace | null>(null);
  /** Read out once by screen readers. */
  announcement = $state('');
  /** Why the data can only be read; null if it can be changed. */
  readOnlyProblem = $state.raw<Problem | null>(null);
  /** Something failed without an action of the user. */
  unexpectedProblem = $state.raw<Problem | null>(null);

  /** Opens the view in which the user left the window. */
  restoreView(): void {
    const stored = pageStorage.getItem(storageKey);
    this.view = viewIds.find((id) => id === stored) ?? this.view;
  }

  /** Stores the open view for `restoreView`. */
  rememberView(): void {
    pageStorage.setItem(storageKey, this.view);
  }

  /** Opens a view and takes the focus there. */
  openView(view: ViewId): void {
    this.view = view;
    this.viewEntries += 1;
  }

  openSettings(place: SettingsPlace): void {
    this.settingsPlace = place;
    this.openView('settings');
  }

  announce(text: string): void {
    this.announcement = text;
  }
}

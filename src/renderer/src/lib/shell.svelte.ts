import type { Problem } from '../../../shared/errors.ts';
import type { Messages } from '../../../shared/messages/index.ts';

export type ViewId = keyof Messages['views'];

/** The frame around the views: which view and panels are open, and what the window announces. */
export class Shell {
  view = $state<ViewId>('convert');
  /** Whether the side panel is open as a sheet, in a narrow window. */
  isSidePanelOpen = $state(false);
  isVoicePickerOpen = $state(false);
  isShortcutsOpen = $state(false);
  /** Read out once by screen readers. */
  announcement = $state('');
  /** Something failed without an action of the user. */
  unexpectedProblem = $state.raw<Problem | null>(null);

  announce(text: string): void {
    this.announcement = text;
  }
}

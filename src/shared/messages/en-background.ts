import { formatFor } from './locale-format.ts';

const { count } = formatFor('en');

/** Timbre without its window: closing it, the tray, starting at sign-in. */
export const enBackground = {
  states: { idle: 'Idle', paused: 'Paused', attention: 'Needs your attention' },
  working: (n: number) => count(n, { one: '# recording in progress', other: '# recordings in progress' }),
  watching: (n: number) => count(n, { one: 'Watching # folder', other: 'Watching # folders' }),
  pausedOnBattery: 'Paused on battery power',
  continueOnBattery: 'Continue on battery power',
  open: 'Open Timbre',
  pause: 'Pause',
  resume: 'Resume',
  quit: 'Quit Timbre',
  cancelWhenDone: { sleep: 'Don’t sleep when done', 'shut-down': 'Don’t shut down when done' },
  closing: {
    title: 'Keep Timbre running?',
    lead: ({ folders, open }: { readonly folders: number; readonly open: number }) => {
      const parts = [
        folders > 0 ? count(folders, { one: 'watch # folder', other: 'watch # folders' }) : '',
        open > 0 ? count(open, { one: 'finish # recording', other: 'finish # recordings' }) : '',
      ];
      return `Timbre can ${parts.filter((part) => part !== '').join(' and ')} without its window.`;
    },
    places: {
      tray: 'You’ll find it in the system tray.',
      dock: 'You’ll find it in the Dock.',
      taskbar:
        'This desktop has no system tray, so the window will be minimized instead. To quit, close the minimized window.',
    },
    later: 'Timbre remembers your choice. You can change it in Settings.',
    keep: 'Keep running',
    quit: 'Quit',
    cancel: 'Cancel',
  },
  settings: {
    title: 'Background',
    closing: 'When you close the window',
    actions: { ask: 'Ask', background: 'Keep running', quit: 'Quit' },
    closingHint: 'While a folder is watched or recordings aren’t finished. Otherwise, closing the window quits Timbre.',
    login: 'Open Timbre when you sign in',
    loginHint: 'Timbre starts in the background, without its window.',
    battery: 'Pause while on battery power',
    batteryHint: 'Running jobs finish their current step. Work resumes when the computer is plugged in.',
    batteryUnknown: 'This computer doesn’t tell Timbre where its power comes from, so Timbre won’t pause.',
    approval: 'To turn this on, allow Timbre in System Settings, under General > Login Items.',
  },
};

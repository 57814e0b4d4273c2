import { formatFor } from './locale-format.ts';

const { count } = formatFor('en');

/** Menus of the system and notifications, which the page does not load. */
export const enDesktop = {
  appMenu: {
    file: 'File',
    edit: 'Edit',
    queue: 'Queue',
    playback: 'Playback',
    view: 'View',
    window: 'Window',
    help: 'Help',
    connection: 'Connection',
    preset: 'Preset',
    theme: 'Theme',
    fullScreen: 'Full screen',
    close: 'Close window',
    minimize: 'Minimize',
    zoom: 'Zoom',
    front: 'Bring all to front',
    about: 'About Timbre',
    settings: 'Settings…',
    services: 'Services',
    hide: 'Hide Timbre',
    hideOthers: 'Hide others',
    showAll: 'Show all',
  },
  textContextMenu: { undo: 'Undo', redo: 'Redo', cut: 'Cut', copy: 'Copy', paste: 'Paste', selectAll: 'Select all' },
  notify: {
    batch: ({ done, needAttention }: { readonly done: number; readonly needAttention: number }) =>
      [
        done > 0 ? count(done, { one: '# recording done', other: '# recordings done' }) : '',
        needAttention > 0 ? count(needAttention, { one: '# needs you', other: '# need you' }) : '',
      ]
        .filter((part) => part !== '')
        .join(', '),
    waiting: (n: number) => count(n, { one: '# recording is waiting.', other: '# recordings are waiting.' }),
    closed: 'Timbre has closed',
    left: (n: number) =>
      count(n, {
        one: '# recording isn’t finished. It resumes the next time you open Timbre.',
        other: '# recordings aren’t finished. They resume the next time you open Timbre.',
      }),
  },
};

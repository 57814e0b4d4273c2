import { formatFor } from './locale-format.ts';
import type { enDesktop } from './en-desktop.ts';

const { count } = formatFor('de');

export const deDesktop: typeof enDesktop = {
  appMenu: {
    file: 'Datei',
    edit: 'Bearbeiten',
    queue: 'Warteschlange',
    playback: 'Wiedergabe',
    view: 'Ansicht',
    window: 'Fenster',
    help: 'Hilfe',
    connection: 'Verbindung',
    preset: 'Preset',
    theme: 'Farben',
    fullScreen: 'Vollbild',
    close: 'Fenster schließen',
    minimize: 'Im Dock ablegen',
    zoom: 'Zoomen',
    front: 'Alle nach vorne bringen',
    about: 'Über Timbre',
    settings: 'Einstellungen …',
    services: 'Dienste',
    hide: 'Timbre ausblenden',
    hideOthers: 'Andere ausblenden',
    showAll: 'Alle einblenden',
  },
  textContextMenu: {
    undo: 'Rückgängig',
    redo: 'Wiederholen',
    cut: 'Ausschneiden',
    copy: 'Kopieren',
    paste: 'Einfügen',
    selectAll: 'Alles auswählen',
  },
  notify: {
    batch: ({ done, needAttention }) =>
      [
        done > 0 ? count(done, { one: '# Aufnahme fertig', other: '# Aufnahmen fertig' }) : '',
        needAttention > 0 ? count(needAttention, { one: '# wartet auf Sie', other: '# warten auf Sie' }) : '',
      ]
        .filter((part) => part !== '')
        .join(', '),
    waiting: (n) => count(n, { one: '# Aufnahme wartet.', other: '# Aufnahmen warten.' }),
    closed: 'Timbre wurde geschlossen',
    left: (n) =>
      count(n, {
        one: '# Aufnahme ist nicht fertig. Sie wird fortgesetzt, wenn Sie Timbre wieder öffnen.',
        other: '# Aufnahmen sind nicht fertig. Sie werden fortgesetzt, wenn Sie Timbre wieder öffnen.',
      }),
  },
};

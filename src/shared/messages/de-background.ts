import type { Messages } from './en.ts';
import { formatFor } from './locale-format.ts';

const { count } = formatFor('de');

export const deBackground: Messages['background'] = {
  states: { idle: 'Bereit', paused: 'Angehalten', attention: 'Wartet auf Sie' },
  working: (n) => count(n, { one: '# Aufnahme in Arbeit', other: '# Aufnahmen in Arbeit' }),
  watching: (n) => count(n, { one: '# Ordner wird überwacht', other: '# Ordner werden überwacht' }),
  pausedOnBattery: 'Im Akkubetrieb angehalten',
  continueOnBattery: 'Im Akkubetrieb fortsetzen',
  open: 'Timbre öffnen',
  pause: 'Anhalten',
  resume: 'Fortsetzen',
  quit: 'Timbre beenden',
  cancelWhenDone: { sleep: 'Danach kein Ruhezustand', 'shut-down': 'Danach nicht herunterfahren' },
  closing: {
    title: 'Timbre weiterlaufen lassen?',
    lead({ folders, open }) {
      const parts = [
        folders > 0 ? `${count(folders, { one: '# Ordner', other: '# Ordner' })} überwachen` : '',
        open > 0 ? `${count(open, { one: '# Aufnahme', other: '# Aufnahmen' })} fertigstellen` : '',
      ];
      return `Timbre kann ohne sein Fenster ${parts.filter((part) => part !== '').join(' und ')}.`;
    },
    places: {
      tray: 'Sie finden es im Infobereich.',
      dock: 'Sie finden es im Dock.',
      taskbar:
        'Diese Arbeitsumgebung hat keinen Infobereich, daher wird das Fenster stattdessen minimiert. Zum Beenden schließen Sie das minimierte Fenster.',
    },
    later: 'Timbre merkt sich Ihre Wahl. Sie können sie in den Einstellungen ändern.',
    keep: 'Weiterlaufen lassen',
    quit: 'Beenden',
    cancel: 'Abbrechen',
  },
  settings: {
    title: 'Hintergrund',
    closing: 'Beim Schließen des Fensters',
    actions: { ask: 'Nachfragen', background: 'Weiterlaufen lassen', quit: 'Beenden' },
    closingHint:
      'Solange ein Ordner überwacht wird oder Aufnahmen nicht fertig sind. Sonst beendet das Schließen Timbre.',
    login: 'Timbre bei der Anmeldung öffnen',
    loginHint: 'Timbre startet im Hintergrund, ohne Fenster.',
    battery: 'Im Akkubetrieb anhalten',
    batteryHint: 'Laufende Aufträge beenden noch ihren Schritt. Am Stromnetz geht es automatisch weiter.',
    batteryUnknown: 'Dieser Computer teilt Timbre nicht mit, woher sein Strom kommt. Timbre hält daher nicht an.',
    approval: 'Erlauben Sie dies in den Systemeinstellungen unter Allgemein > Anmeldeobjekte.',
  },
};

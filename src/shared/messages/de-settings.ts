import type { enSettings } from './en-settings.ts';
import { formatFor } from './locale-format.ts';

const format = formatFor('de');

export const deSettings: typeof enSettings = {
  pitch: 'Tonhöhe',
  speed: 'Tempo',
  semitones: (n) => {
    const sign = n > 0 ? '+' : n < 0 ? '−' : '';
    const value = Math.abs(n);
    const text = format.fixed(value, Number.isInteger(value) ? 0 : 1);
    return `${sign}${text} ${value === 1 ? 'Halbton' : 'Halbtöne'}`;
  },
  pitchAs: (value) => `Tonhöhe ${value}`,
  speedAs: (value) => `Tempo ${value}`,
  asRecorded: 'wie aufgenommen',
  reset: 'Zum Zurücksetzen doppelklicken',
  autoF0: 'Auto-F0',
  autoF0Hint: 'Passt die Tonhöhe an die Stimme an',
  formants: 'Formanten',
  keepFormants: 'Halten',
  shiftFormants: 'Mitziehen',
  pitchControl: 'Tonhöhen-Steuerung',
  serviceDefault: 'Standard',
  platform: 'Plattform',
  audioName: 'Audioname',
  engine: 'Engine',
  saveAs: 'Format',
  sameFormat: 'wie das Original',
  into: 'Speichern',
  besideOriginal: 'neben das Original',
  oneFolder: 'in einen Ordner',
  chooseFolder: 'Ordner wählen …',
  appearance: 'Darstellung',
  colours: 'Farbschema',
  themes: { system: 'System', light: 'Hell', dark: 'Dunkel' },
  contrast: 'Kontrast',
  contrasts: { system: 'System', more: 'Hoch' },
  language: 'Sprache',
  languages: { system: 'System', en: 'English', de: 'Deutsch' },
  output: 'Ausgabe',
  outputLead: 'Name und Ort fertiger Dateien. Vorhandene Dateien werden nie ersetzt.',
  folder: 'Ordner',
  besideOriginalLong: 'Neben das Original',
  oneFolderLong: 'Ein Ordner für alle Ergebnisse',
  changeFolder: 'Ordner ändern',
  name: 'Name',
  someVoice: 'Stimme',
  nameFields: 'Felder, die Sie im Namen verwenden können',
  insert: (field) => `${field} einfügen`,
  becomes: (source) => `Aus ${source} wird`,
  nameKept: (template) => `Bis Sie das korrigieren, heißen Dateien ${template}.`,
  concurrency: 'Gleichzeitige Aufträge',
  concurrencyLead:
    'So viele Aufträge bearbeitet dieser Computer gleichzeitig. Mehr, als er Prozessorkerne hat, bringen keinen Vorteil.',
  keyboard: 'Tastatur',
  size: 'Zoom',
  smaller: 'Kleiner',
  larger: 'Größer',
  sizeNow: (percent: number) => `${format.number(percent)} %`,
  letterKeys: 'Tastenkürzel mit nur einem Buchstaben',
  letterKeysHint:
    'Schalten Sie diese aus, wenn Sie diktieren oder Tasten versehentlich drücken. Alles ist auch ohne sie erreichbar.',
  showKeys: 'Tastenkürzel anzeigen und ändern',
  network: 'Netzwerk',
  portable: 'Portabel',
  portableLead: (folder) =>
    `Alle Daten von Timbre liegen in ${folder}, neben dem Programm. Token bleiben im Schlüsselbund dieses Computers. Um stattdessen die Daten dieses Computers zu verwenden, beenden Sie Timbre und benennen den Ordner um.`,
  about: 'Über Timbre',
  aboutLead: (version) =>
    `Version ${version}. Timbre ist freie Software: Sie dürfen es unter der GNU General Public License, Version 3 oder neuer, benutzen, untersuchen, weitergeben und verändern. Es gibt keinerlei Gewährleistung.`,
  showNotices: 'Lizenzen anzeigen',
  notices: 'Lizenzen',
  noticesLead: 'Timbre enthält die Arbeit anderer. Wählen Sie ein Paket aus, um dessen Lizenz zu lesen.',
  noticesLoading: 'Lizenzen werden gelesen …',
  offlineMode: 'Offline arbeiten',
  offlineModeHint:
    'Nichts verlässt diesen Computer: Timbre ruft keinen Dienst auf, und Aufträge bei Diensten warten. Laufende Aufrufe werden beendet. Die eigenen Stimmen dieses Computers funktionieren weiter.',
  networkLead: 'So verbindet sich Timbre mit Webdiensten. Gilt ab der nächsten Anfrage.',
  proxy: 'Proxy',
  proxies: { system: 'System', direct: 'Keiner', address: 'Eigener' },
  proxyAddress: 'Proxy-Adresse',
  safeStart: 'Timbre wurde nach den letzten drei Starts unerwartet beendet.',
  safeStartDetail:
    'Ein sicherer Start hält die Warteschlange und die überwachten Ordner an. Bis zum Beenden arbeitet Timbre dann offline mit den Standardeinstellungen. Nichts wird gelöscht.',
  startSafely: 'Sicher starten',
  startNormally: 'Normal starten',
  confirmProxy: (address) => `Den Proxy ${address} verwenden?`,
  confirmProxyDetail: 'Aufnahmen, Texte und Token, die Timbre an Webdienste sendet, gehen dann über ihn.',
  useProxy: 'Proxy verwenden',
  cancelProxy: 'Abbrechen',
  proxyError: 'Geben Sie eine Adresse wie http://proxy.example:8080 ein, mit http oder https und nichts nach dem Port.',
};

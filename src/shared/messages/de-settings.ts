import type { enSettings } from './en-settings.ts';
import { formatFor } from './format.ts';

const format = formatFor('de');

/** How a voice is changed, and what a person chooses for good. */
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
  reset: 'Ein Doppelklick stellt den Ausgangswert wieder her',
  autoF0: 'Auto-F0',
  autoF0Hint: 'Rückt die Tonhöhe auf die der Stimme',
  formants: 'Formanten',
  keepFormants: 'Halten',
  shiftFormants: 'Mitziehen',
  pitchControl: 'Tonhöhen-Steuerung',
  pitchControlHint: 'Standard',
  platform: 'Plattform',
  audioName: 'Audioname',
  asConnection: 'aus der Verbindung',
  engine: 'Engine',
  saveAs: 'Format',
  sameFormat: 'wie das Original',
  into: 'Wohin',
  besideOriginal: 'neben das Original',
  oneFolder: 'ein Ordner',
  chooseFolder: 'Ordner wählen …',
  appearance: 'Aussehen',
  colours: 'Farben',
  themes: { system: 'Wie das System', light: 'Hell', dark: 'Dunkel' },
  contrast: 'Kontrast',
  contrasts: { system: 'Wie das System', more: 'Mehr' },
  language: 'Sprache',
  languages: { system: 'Wie das System', en: 'English', de: 'Deutsch' },
  output: 'Ausgabe',
  outputLead: 'Wie eine fertige Datei heißt und wohin sie kommt. Eine Datei, die schon da ist, wird nie ersetzt.',
  folder: 'Ordner',
  besideOriginalLong: 'Neben das Original',
  oneFolderLong: 'Ein Ordner für alle',
  changeFolder: 'Ordner ändern',
  name: 'Name',
  someVoice: 'Stimme',
  nameFields: 'Felder für den Namen',
  insert: (field) => `${field} einfügen`,
  becomes: (source) => `Aus ${source} wird`,
  nameKept: (template) => `Bis dahin heißen Dateien ${template}.`,
  concurrency: 'Gleichzeitig',
  concurrencyLead:
    'An wie vielen Aufnahmen und Texten die Engine dieses Computers arbeitet. Mehr, als er Kerne hat, warten nur.',
  keyboard: 'Tastatur',
  size: 'Größe',
  smaller: 'Kleiner',
  larger: 'Größer',
  sizeNow: (percent: number) => `${format.number(percent)} %`,
  letterKeys: 'Tasten mit einem Buchstaben',
  letterKeysHint:
    'Schalten Sie sie ab, wenn Sie diktieren oder Tasten versehentlich drücken. Alles, was sie tun, geht auch anders.',
  showKeys: 'Alle Tasten zeigen',
  network: 'Netz',
  networkLead: 'Der Weg zu Diensten auf anderen Computern, vom nächsten Aufruf an.',
  proxy: 'Proxy',
  proxies: { system: 'Wie das System', direct: 'Keiner', address: 'Dieser' },
  proxyAddress: 'Adresse des Proxys',
  confirmProxy: (address) => `Alles über den Proxy ${address} senden?`,
  confirmProxyDetail:
    'Aufnahmen, Texte und Token gehen auf dem Weg zu Diensten auf anderen Computern durch ihn hindurch.',
  useProxy: 'Diesen Proxy verwenden',
  keepProxy: 'Abbrechen',
  proxyFault: 'So schreiben: http://proxy.example:8080, mit http oder https und nichts hinter dem Port.',
};

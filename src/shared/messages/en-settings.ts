import { formatFor } from './format.ts';

const format = formatFor('en');

/** How a voice is changed, and what a person chooses for good. */
export const enSettings = {
  pitch: 'Pitch',
  speed: 'Speed',
  semitones: (n: number) => {
    const sign = n > 0 ? '+' : n < 0 ? '−' : '';
    const value = Math.abs(n);
    const text = format.fixed(value, Number.isInteger(value) ? 0 : 1);
    return `${sign}${text} ${value === 1 ? 'semitone' : 'semitones'}`;
  },
  pitchAs: (value: string) => `pitch ${value}`,
  speedAs: (value: string) => `speed ${value}`,
  asRecorded: 'as recorded',
  reset: 'A double click goes back to the default',
  autoF0: 'Auto F0',
  autoF0Hint: 'Moves the pitch to that of the voice',
  formants: 'Formants',
  keepFormants: 'Keep',
  shiftFormants: 'Move with pitch',
  pitchControl: 'Pitch control',
  pitchControlHint: 'default',
  platform: 'Platform',
  audioName: 'Audio name',
  asConnection: 'from the connection',
  engine: 'Engine',
  saveAs: 'Save as',
  sameFormat: 'same as the original',
  into: 'Into',
  besideOriginal: 'beside the original',
  oneFolder: 'one folder',
  chooseFolder: 'choose folder…',
  appearance: 'Appearance',
  colours: 'Colours',
  themes: { system: 'As the system', light: 'Light', dark: 'Dark' },
  contrast: 'Contrast',
  contrasts: { system: 'As the system', more: 'More' },
  language: 'Language',
  languages: { system: 'As the system', en: 'English', de: 'Deutsch' },
  output: 'Output',
  outputLead: 'What a finished file is called and where it goes. A file that is already there is never replaced.',
  folder: 'Folder',
  besideOriginalLong: 'Beside the original',
  oneFolderLong: 'One folder for all',
  changeFolder: 'Change folder',
  name: 'Name',
  someVoice: 'Voice',
  nameFields: 'Fields for the name',
  insert: (field: string) => `Insert ${field}`,
  /** The new name follows. */
  becomes: (source: string) => `${source} becomes`,
  nameKept: (template: string) => `Until then files are named ${template}.`,
  concurrency: 'At the same time',
  concurrencyLead:
    'How many recordings and texts the engine of this computer works on. More than it has cores only wait.',
  keyboard: 'Keyboard',
  size: 'Size',
  smaller: 'Smaller',
  larger: 'Larger',
  sizeNow: (percent: number) => `${format.number(percent)} %`,
  letterKeys: 'Single-letter shortcuts',
  letterKeysHint: 'Switch them off if you dictate, or press keys by accident. All they do can be done by other means.',
  showKeys: 'Show all keys',
  network: 'Network',
  networkLead: 'How services on other computers are reached, from the next call on.',
  proxy: 'Proxy',
  proxies: { system: 'As the system says', direct: 'None', address: 'This one' },
  proxyAddress: 'Address of the proxy',
  proxyFault: 'Write it as http://proxy.example:8080, with http or https and nothing behind the port.',
};

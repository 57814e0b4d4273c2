import type { PresetNameFault, PresetSkipReason } from '../schemas/preset.ts';
import type { enPresets } from './en-presets.ts';
import { numberFact, type ProblemTextsOf, textFact } from './facts.ts';
import { formatFor } from './locale-format.ts';

const format = formatFor('de');
const { count } = format;

export const dePresets: typeof enPresets = {
  label: 'Preset',
  none: 'Kein Preset',
  at: (name: string, connection: string) => `${name} (${connection})`,
  missingConnection: (name: string, connection: string) => `${name} (${connection} fehlt)`,
  modified: 'Geändert',
  using: (name: string) => `Preset „${name}“ angewendet`,
  usingDefaults: (names: readonly string[]) =>
    `Standard für diese Verbindung angewendet: ${names.map((name) => `„${name}“`).join(', ')}`,
  missingVoice: (voice: string) =>
    `Seine Stimme „${voice}“ gibt es nicht mehr. Wählen Sie eine andere Stimme und speichern Sie.`,
  more: 'Optionen des Presets',
  save: 'Speichern',
  saveNamed: (name: string) => `Änderungen in „${name}“ speichern`,
  revert: 'Änderungen verwerfen',
  applyAgain: 'Erneut anwenden',
  saveAsNew: 'Als neues Preset speichern…',
  rename: 'Umbenennen…',
  isDefault: 'Standard für diese Verbindung',
  delete: 'Löschen…',
  export: 'Alle Presets exportieren…',
  import: 'Presets importieren…',
  saved: (name: string) => `„${name}“ gespeichert`,
  deleted: (name: string) => `„${name}“ gelöscht`,
  exported: (n: number) => count(n, { one: '# Preset exportiert', other: '# Presets exportiert' }),
  cancel: 'Abbrechen',
  close: 'Schließen',
  needsVoice: 'Wählen Sie zuerst eine Stimme.',
  nameDialog: { new: 'Als neues Preset speichern', rename: (name: string) => `„${name}“ umbenennen` },
  name: 'Name',
  create: 'Preset speichern',
  applyName: 'Umbenennen',
  nameFault: {
    empty: 'Geben Sie einen Namen ein.',
    'too-long': 'Ein Name kann bis zu 80 Zeichen haben.',
    control: 'Dieser Name enthält Zeichen, die sich nicht anzeigen lassen. Geben Sie ihn neu ein.',
  } satisfies Record<PresetNameFault, string>,
  nameTaken: 'So heißt schon ein anderes Preset. Wählen Sie einen anderen Namen.',
  deleteDialog: {
    title: (name: string) => `„${name}“ löschen?`,
    lead: 'Ihre aktuelle Stimme und Einstellungen bleiben, ebenso die von überwachten Ordnern, die das Preset verwenden.',
    confirm: 'Preset löschen',
  },
  moveDialog: {
    title: (name: string, connection: string) => `„${name}“ zu „${connection}“ verschieben?`,
    lead: (connection: string) => `Seine Verbindung „${connection}“ gibt es nicht mehr.`,
    withVoice: (voice: string) =>
      `Es verwendet dann die jetzt gewählte Stimme, „${voice}“, und behält seine übrigen Einstellungen.`,
    noVoice: 'Wählen Sie zum Verschieben zuerst eine Stimme.',
    confirm: 'Preset verschieben',
  },
  importDialog: {
    title: (n: number) =>
      n === 0 ? 'Kein Preset importiert' : count(n, { one: '# Preset importiert', other: '# Presets importiert' }),
    renamed: (from: string, to: string) => `„${from}“ heißt jetzt „${to}“, weil es den Namen schon gab.`,
    skipped: (name: string, reason: PresetSkipReason, connection: string): string => {
      const subject = name === '' ? 'Ein Preset ohne Namen' : `„${name}“`;
      return {
        invalid: `${subject} wurde übersprungen: Die Einstellungen sind ungültig.`,
        'no-connection': `${subject} wurde übersprungen: Hier gibt es keine Verbindung „${connection}“. Fügen Sie sie hinzu und importieren Sie noch einmal.`,
        known: `${subject} wurde übersprungen: Das Preset ist schon da.`,
        'too-many': `${subject} wurde übersprungen: Mehr als 500 Presets gehen nicht.`,
      }[reason];
    },
    more: (n: number) => `Und ${format.number(n)} weitere.`,
  },
  folder: {
    changed: (name: string) => `Das Preset „${name}“ wurde geändert.`,
    removed: (name: string) => `Das Preset „${name}“ wurde gelöscht. Dieser Ordner behält seine Einstellungen.`,
    use: 'Neue Einstellungen verwenden',
    keep: 'Behalten',
  },
  commands: {
    use: (name: string) => `Preset „${name}“ verwenden`,
    useForSpeech: (name: string) => `Preset „${name}“ in Vorlesen verwenden`,
  },
};

export const dePresetProblems: ProblemTextsOf<'preset'> = {
  'preset/not-found': () => ({ title: 'Dieses Preset gibt es nicht mehr', advice: 'Wählen Sie ein anderes.' }),
  'preset/name-taken': (facts) => ({
    title: `Ein Preset „${textFact(facts, 'name') ?? '…'}“ gibt es schon`,
    advice: 'Wählen Sie einen anderen Namen.',
  }),
  'preset/too-many': (facts) => ({
    title: `Es kann höchstens ${format.number(numberFact(facts, 'count') ?? 500)} Presets geben`,
    advice: 'Löschen Sie eines, das Sie nicht mehr brauchen, und versuchen Sie es erneut.',
  }),
  'preset/not-an-export': (facts) => ({
    title: `${textFact(facts, 'name') ?? 'Diese Datei'} enthält keine Presets`,
    advice: 'Wählen Sie eine Datei, die Timbre exportiert hat. Nichts wurde verändert.',
  }),
  'preset/export-newer': () => ({
    title: 'Diese Presets stammen von einer neueren Version von Timbre',
    advice: 'Installieren Sie die neueste Version, um sie zu importieren. Nichts wurde verändert.',
  }),
  'preset/export-too-large': (facts) => ({
    title: `${textFact(facts, 'name') ?? 'Diese Datei'} ist zu groß für Presets`,
    advice: `Eine Datei mit Presets hat höchstens ${format.bytes(numberFact(facts, 'limitBytes') ?? 1024 ** 2)} und ${format.number(numberFact(facts, 'count') ?? 1000)} Presets. Wählen Sie eine Datei, die Timbre exportiert hat.`,
  }),
};

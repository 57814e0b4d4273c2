import { type Facts } from '../errors.ts';
import type { Messages } from './en.ts';
import { numberFact, type ProblemTextsOf, textFact } from './facts.ts';
import { formatFor } from './locale-format.ts';

const format = formatFor('de');
const { count } = format;

const results = (n: number) => count(n, { one: '# Ergebnis', other: '# Ergebnisse' });
const seconds = (n: number) => count(n, { one: '# Sekunde', other: '# Sekunden' });

export const deHook: Messages['hook'] = {
  title: 'Nach jedem Ergebnis',
  lead: 'Timbre kann ein Programm von Ihnen starten, das zum Beispiel hochlädt oder verschlagwortet, was entstanden ist. Es läuft direkt, ohne Shell, für ein Ergebnis nach dem anderen, und erhält alles über das Ergebnis auf der Standardeingabe.',
  run: 'Nach jedem Ergebnis ein Programm starten',
  runHint: 'Auch für überwachte Ordner und Befehle. Scheitert das Programm, bleibt das Ergebnis, wie es ist.',
  chooseFirst: 'Wählen Sie zuerst ein Programm.',
  program: 'Programm',
  none: 'Keins gewählt',
  choose: 'Wählen …',
  change: 'Ändern …',
  args: 'Argumente',
  argsHint: 'Ein Argument pro Zeile. Leerzeichen und Anführungszeichen werden so weitergegeben.',
  fields: 'Felder für ein Argument',
  insert: (field) => `${field} einfügen`,
  example: 'Zum Beispiel:',
  save: 'Diese Argumente verwenden',
  undo: 'Änderungen verwerfen',
  timeout: 'Zeitgrenze',
  timeoutHint: 'In Sekunden. Danach wird das Programm mit allem, was es gestartet hat, beendet.',
  timeoutError: (min, max) =>
    `Geben Sie eine ganze Zahl von ${format.number(min)} bis ${format.number(max)} Sekunden ein.`,
  status: 'Letzter Lauf',
  waiting: (n) => `${results(n)} ${n === 1 ? 'wartet' : 'warten'} auf das Programm.`,
  neverRun: 'Seit dem Öffnen von Timbre nicht gelaufen',
  sample: 'das mitgelieferte Beispiel',
  succeeded: (name, n) => `Für ${name} gelungen nach ${format.fixed(n, 1)} s (Exitcode 0)`,
  ended: (name, n) => `Für ${name} gescheitert nach ${format.fixed(n, 1)} s`,
  output: 'Ausgabe des Programms',
  noOutput: 'Das Programm hat nichts ausgegeben.',
  test: 'Ausprobieren',
  testing: 'Läuft …',
  testHint: 'Startet es einmal für Ihr letztes Ergebnis, oder ohne eines für eine Kopie des mitgelieferten Beispiels.',
  repeat: (n) => `Für ${results(n)} noch einmal starten`,
  failed: (n) => `Das Programm ist für ${results(n)} im Verlauf gescheitert.`,
  confirm: (program) => `Nach jedem Ergebnis ${program} mit diesen Argumenten starten?`,
  confirmNone: 'Es erhält keine Argumente.',
  confirmUse: 'Argumente verwenden',
  confirmCancel: 'Abbrechen',
  folder: 'Nach jedem Ergebnis das Programm starten',
  folderHint: (program) => `${program}, in den Einstellungen gewählt.`,
  folderOff: 'Zurzeit läuft kein Programm: Schalten Sie eines in den Einstellungen ein, unter „Nach jedem Ergebnis“.',
  folderSkips: 'danach kein Programm',
};

const nameIn = (facts: Facts): string => textFact(facts, 'name') ?? 'Das Programm';

export const deHookProblems: ProblemTextsOf<'hook'> = {
  'hook/missing': (facts) => ({
    title: `${nameIn(facts)} wurde nicht gefunden`,
    advice:
      'Das Ergebnis ist in Ordnung, nur das Programm danach lief nicht. Legen Sie das Programm zurück, oder wählen Sie ein anderes.',
  }),
  'hook/not-allowed': (facts) => ({
    title: `${nameIn(facts)} darf nicht gestartet werden`,
    advice:
      'Das Ergebnis ist in Ordnung, nur das Programm danach lief nicht. Machen Sie die Datei ausführbar (chmod +x), oder wählen Sie das Programm, das sie ausführt.',
  }),
  'hook/not-a-program': (facts) => ({
    title: `${nameIn(facts)} lässt sich nicht von selbst ausführen`,
    advice:
      'Das Ergebnis ist in Ordnung, nur das Programm danach lief nicht. Wählen Sie das Programm, das solche Dateien ausführt, etwa python, und schreiben Sie die Datei in die Argumente.',
  }),
  'hook/batch-file': (facts) => ({
    title: `${nameIn(facts)} ist eine Batchdatei, die Windows nur mit einer Shell ausführt`,
    advice:
      'Timbre startet nichts mit einer Shell, weil Dateinamen zu Befehlen werden könnten. Wählen Sie eine .exe, etwa powershell.exe oder python.exe mit einem Skript in den Argumenten.',
  }),
  'hook/failed': (facts) => {
    const code = numberFact(facts, 'exitCode');
    const signal = textFact(facts, 'signal');
    return {
      title: `${nameIn(facts)} ist gescheitert${code === undefined ? (signal === undefined ? '' : ` (${signal})`) : ` (Exitcode ${code})`}`,
      advice:
        'Das Ergebnis ist in Ordnung. Im Protokoll steht, was das Programm ausgegeben hat; beheben Sie es, und starten Sie es in den Einstellungen noch einmal.',
    };
  },
  'hook/timeout': (facts) => ({
    title: `${nameIn(facts)} brauchte länger als ${seconds(numberFact(facts, 'seconds') ?? 0)} und wurde beendet`,
    advice:
      'Das Ergebnis ist in Ordnung. Geben Sie dem Programm in den Einstellungen mehr Zeit, und starten Sie es dort noch einmal.',
  }),
  'hook/interrupted': (facts) => ({
    title: `${nameIn(facts)} wurde zweimal unterbrochen`,
    advice:
      'Das Ergebnis ist in Ordnung. Ein drittes Mal startet Timbre das Programm nicht von selbst; starten Sie es in den Einstellungen noch einmal.',
  }),
};

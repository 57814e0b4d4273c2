import type { Facts } from '../errors.ts';
import type { Messages } from './en.ts';
import { numberFact, type ProblemTextsOf, textFact } from './facts.ts';
import { formatFor } from './locale-format.ts';

const format = formatFor('de');

const results = (n: number) => format.count(n, { one: '# Ergebnis', other: '# Ergebnisse' });

export const deHook: Messages['hook'] = {
  title: 'Nach jedem Ergebnis',
  lead: 'Ein Programm von Ihnen, das zum Beispiel hochlädt oder verschlagwortet, was entstanden ist. Es läuft ohne Shell, für ein Ergebnis nach dem anderen, und liest alles darüber als JSON auf der Standardeingabe.',
  run: 'Nach jedem Ergebnis ein Programm starten',
  runHint: 'Auch bei überwachten Ordnern und Befehlen. Scheitert es, bleibt das Ergebnis, wie es ist.',
  program: 'Programm',
  none: 'Keins gewählt',
  choose: 'Wählen …',
  change: 'Ändern …',
  args: 'Argumente',
  argsHint: 'Eins pro Zeile, unverändert weitergegeben.',
  argsError: (count: number, length: number) =>
    `Höchstens ${format.number(count)} Argumente mit je ${format.number(length)} Zeichen, ohne Tabulatoren und andere Steuerzeichen.`,
  fields: 'Felder für ein Argument',
  example: 'Zum Beispiel:',
  save: 'Diese Argumente verwenden',
  undo: 'Änderungen verwerfen',
  timeout: 'Zeitgrenze',
  timeoutHint: 'Danach wird das Programm mit allem, was es gestartet hat, beendet.',
  timeoutError: (min, max) =>
    `Geben Sie eine ganze Zahl von ${format.number(min)} bis ${format.number(max)} Sekunden ein.`,
  status: 'Letzter Lauf',
  waiting: (n) => `${results(n)} ${n === 1 ? 'wartet' : 'warten'} auf das Programm.`,
  neverRun: 'Keiner, seit Timbre geöffnet ist',
  sample: 'das mitgelieferte Beispiel',
  succeeded: (name, n) => `Für ${name} gelungen nach ${format.fixed(n, 1)} s (Exitcode 0)`,
  ended: (name, n) => `Für ${name} gescheitert nach ${format.fixed(n, 1)} s`,
  output: 'Ausgabe des Programms',
  test: 'Ausprobieren',
  testHint: 'Für Ihr letztes Ergebnis, sonst für eine Kopie des mitgelieferten Beispiels.',
  repeat: (n) => `Für ${results(n)} noch einmal starten`,
  confirm: (program) => `Nach jedem Ergebnis ${program} mit diesen Argumenten starten?`,
  confirmUse: 'Argumente verwenden',
  folder: 'Nach jedem Ergebnis das Programm starten',
  folderOff: 'In den Einstellungen ausgeschaltet, unter „Nach jedem Ergebnis“.',
  folderSkips: 'danach kein Programm',
};

const nameIn = (facts: Facts): string => textFact(facts, 'name') ?? 'Das Programm';

export const deHookProblems: ProblemTextsOf<'hook'> = {
  'hook/missing': (facts) => ({
    title: `${nameIn(facts)} wurde nicht gefunden`,
    advice:
      'Das Ergebnis ist in Ordnung. Legen Sie das Programm zurück, oder wählen Sie in den Einstellungen ein anderes.',
  }),
  'hook/not-allowed': (facts) => ({
    title: `${nameIn(facts)} darf nicht gestartet werden`,
    advice:
      'Das Ergebnis ist in Ordnung. Machen Sie die Datei ausführbar (chmod +x), oder wählen Sie das Programm, das sie ausführt.',
  }),
  'hook/not-a-program': (facts) => ({
    title: `${nameIn(facts)} läuft nicht von selbst`,
    advice:
      'Das Ergebnis ist in Ordnung. Wählen Sie das Programm, das solche Dateien ausführt, etwa python, mit der Datei als Argument.',
  }),
  'hook/batch-file': (facts) => ({
    title: `Windows führt ${nameIn(facts)} nur mit einer Shell aus`,
    advice:
      'Dort könnten Dateinamen zu Befehlen werden, deshalb lehnt Timbre .bat und .cmd ab. Wählen Sie eine .exe, etwa powershell.exe oder python.exe, mit einem Skript als Argument.',
  }),
  'hook/failed': (facts) => {
    const errno = textFact(facts, 'errno');
    if (errno !== undefined) {
      return {
        title: `Das System konnte ${nameIn(facts)} nicht starten (${errno})`,
        advice: 'Das Ergebnis ist in Ordnung. Starten Sie es in den Einstellungen noch einmal.',
      };
    }
    const exitCode = numberFact(facts, 'exitCode');
    const why = exitCode === undefined ? textFact(facts, 'signal') : `Exitcode ${exitCode}`;
    return {
      title: `${nameIn(facts)} ist gescheitert${why === undefined ? '' : ` (${why})`}`,
      advice:
        'Das Ergebnis ist in Ordnung. Im Protokoll steht, was das Programm ausgegeben hat; starten Sie es in den Einstellungen noch einmal.',
    };
  },
  'hook/timeout': (facts) => ({
    title: `${nameIn(facts)} wurde nach ${format.number(numberFact(facts, 'seconds') ?? 0)} s beendet`,
    advice:
      'Das Ergebnis ist in Ordnung. Setzen Sie in den Einstellungen eine längere Zeitgrenze, und starten Sie es dort noch einmal.',
  }),
  'hook/interrupted': (facts) => ({
    title: `${nameIn(facts)} wurde zweimal unterbrochen`,
    advice: 'Das Ergebnis ist in Ordnung. Starten Sie es in den Einstellungen noch einmal.',
  }),
};

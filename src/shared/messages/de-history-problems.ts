import { numberFact, type ProblemTextsOf, sentences, textFact } from './facts.ts';
import { formatFor } from './format.ts';

const format = formatFor('de');

/** Why something could not be done with entries of history. */
export const deHistoryProblems: ProblemTextsOf<'history'> = {
  'history/list-ended': () => ({ title: 'Diese Liste ist nicht mehr die neueste', advice: 'Noch einmal suchen.' }),
  'history/undo-over': () => ({
    title: 'Das lässt sich nicht mehr rückgängig machen',
    advice: 'Entfernte Dateien liegen im Papierkorb des Systems.',
  }),
  'history/files-away': () => ({
    title: 'Die Einträge sind zurück, aber nicht alle Dateien: Laufwerk oder Ordner ist nicht da',
    advice:
      'Es anschließen und noch einmal „Zurückholen“ drücken; sonst holt Timbre die Dateien, wenn es damit startet.',
  }),
  'history/not-an-export': (facts) => ({
    title: `${textFact(facts, 'name') ?? 'Diese Datei'} enthält keinen Verlauf`,
    advice:
      'Wählen Sie eine Liste (.jsonl) oder ein Archiv (.zip), das Timbre exportiert hat. Es wurde nichts geändert.',
  }),
  'history/export-newer': () => ({
    title: 'Ein neueres Timbre hat diesen Verlauf exportiert',
    advice: 'Installieren Sie das neueste Timbre, um ihn zu importieren. Es wurde nichts geändert.',
  }),
  'history/export-damaged': (facts) => {
    const count = numberFact(facts, 'count');
    return {
      title: `${textFact(facts, 'name') ?? 'Diese Datei'} ist beschädigt`,
      advice: sentences(
        count === undefined
          ? undefined
          : `Importiert wurde, was lesbar war: ${format.count(count, { one: '# Eintrag', other: '# Einträge' })}.`,
        'Importieren Sie für den Rest eine unbeschädigte Kopie; nichts wird verdoppelt.',
      ),
    };
  },
  'history/export-too-large': (facts) => {
    const bytes = numberFact(facts, 'bytes');
    return {
      title: `${textFact(facts, 'name') ?? 'Dieses Archiv'} ist dichter gepackt, als Ton es sein kann`,
      advice: sentences(
        bytes === undefined ? undefined : `Es würde ${format.bytes(bytes)} Ihrer Festplatte belegen.`,
        'Es wurde nichts geändert. Entpacken Sie es selbst, wenn Sie ihm vertrauen, und importieren Sie die Liste darin.',
      ),
    };
  },
  'history/busy': () => ({
    title: 'Der Verlauf arbeitet noch',
    advice: 'Ein Export, Import oder eine Suche auf einmal: abwarten oder anhalten.',
  }),
  'history/no-drag': () => ({
    title: 'Aus diesem Fenster lassen sich keine Dateien ziehen',
    advice: 'Kopieren Sie die Pfade, oder zeigen Sie die Dateien im Ordner und ziehen Sie sie von dort.',
  }),
};

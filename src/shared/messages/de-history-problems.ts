import { textFact } from './facts.ts';
import type { ProblemTextsOf } from './problem-texts.ts';

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
  'history/busy': () => ({
    title: 'Der Verlauf arbeitet noch',
    advice: 'Ein Export, Import oder eine Suche auf einmal: abwarten oder anhalten.',
  }),
  'history/no-drag': () => ({
    title: 'Aus diesem Fenster lassen sich keine Dateien ziehen',
    advice: 'Kopieren Sie die Pfade, oder zeigen Sie die Dateien im Ordner und ziehen Sie sie von dort.',
  }),
};

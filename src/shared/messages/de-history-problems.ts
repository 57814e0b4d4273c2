import { numberFact, type ProblemTextsOf, sentences, textFact } from './facts.ts';
import { formatFor } from './locale-format.ts';

const format = formatFor('de');

export const deHistoryProblems: ProblemTextsOf<'history'> = {
  'history/list-ended': () => ({ title: 'Diese Liste ist veraltet', advice: 'Suchen Sie noch einmal.' }),
  'history/undo-over': () => ({
    title: 'Das lässt sich nicht mehr rückgängig machen',
    advice: 'Entfernte Dateien liegen im Papierkorb des Systems.',
  }),
  'history/files-away': () => ({
    title: 'Die Einträge sind zurück, aber nicht alle Dateien: Ihr Laufwerk oder Ordner fehlt',
    advice:
      'Schließen Sie das Laufwerk an und wählen Sie noch einmal „Rückgängig“, oder starten Sie Timbre damit, um die Dateien zurückzuholen.',
  }),
  'history/not-an-export': (facts) => ({
    title: `${textFact(facts, 'name') ?? 'Diese Datei'} enthält keinen Verlauf`,
    advice: 'Wählen Sie eine Liste (.jsonl) oder ein Archiv (.zip), das Timbre exportiert hat. Nichts wurde verändert.',
  }),
  'history/export-newer': () => ({
    title: 'Dieser Verlauf stammt von einer neueren Version von Timbre',
    advice: 'Installieren Sie die neueste Version, um ihn zu importieren. Nichts wurde verändert.',
  }),
  'history/export-damaged': (facts) => {
    const count = numberFact(facts, 'count');
    return {
      title: `${textFact(facts, 'name') ?? 'Diese Datei'} ist beschädigt`,
      advice: sentences(
        count === undefined
          ? undefined
          : format.count(count, {
              one: '# Eintrag war lesbar und wurde importiert.',
              other: '# Einträge waren lesbar und wurden importiert.',
            }),
        'Importieren Sie für den Rest eine unbeschädigte Kopie; Einträge werden dabei nicht verdoppelt.',
      ),
    };
  },
  'history/export-too-large': (facts) => {
    const bytes = numberFact(facts, 'bytes');
    return {
      title: `${textFact(facts, 'name') ?? 'Dieses Archiv'} ist stärker komprimiert, als es bei Audio möglich ist`,
      advice: sentences(
        bytes === undefined ? undefined : `Es würde ${format.bytes(bytes)} auf Ihrem Laufwerk belegen.`,
        'Nichts wurde verändert. Wenn Sie ihm vertrauen, entpacken Sie es selbst und importieren Sie die Liste darin.',
      ),
    };
  },
  'history/busy': () => ({
    title: 'Der Verlauf ist beschäftigt',
    advice: 'Es kann nur ein Export, Import oder eine Suche laufen: Warten Sie ab, oder brechen Sie ab.',
  }),
  'history/no-transfer': () => ({
    title: 'Das System hat die Dateien nicht angenommen',
    advice: 'Zeigen Sie sie im Ordner an, und kopieren oder teilen Sie sie dort.',
  }),
  'history/no-drag': () => ({
    title: 'Aus diesem Fenster lassen sich keine Dateien ziehen',
    advice: 'Kopieren Sie die Pfade, oder zeigen Sie die Dateien im Ordner und ziehen Sie sie von dort.',
  }),
};

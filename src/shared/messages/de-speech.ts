import type { enSpeech } from './en-speech.ts';
import { formatFor } from './locale-format.ts';

const format = formatFor('de');
const { count } = format;

export const deSpeech: typeof enSpeech = {
  open: 'Text öffnen',
  text: 'Text',
  hint: 'Text zum Vorlesen schreiben oder einfügen',
  loading: 'Ihr Text wird geladen',
  characters: (n: number) => `${format.number(n)} Zeichen`,
  sentences: (n) => count(n, { one: '# Satz', other: '# Sätze' }),
  sentencesLeft: (n, total, characters) =>
    `Noch ${format.number(n)} von ${count(total, { one: '# Satz', other: '# Sätzen' })} vorzulesen, ${format.number(characters)} Zeichen`,
  allSpoken: (n) => count(n, { one: 'Der Satz ist vorgelesen', other: 'Alle # Sätze sind vorgelesen' }),
  calls: (n, name) => count(n, { one: `1 Aufruf von ${name}`, other: `# Aufrufe von ${name}` }),
  speakSentences: (n) => count(n, { one: '# Satz vorlesen', other: '# Sätze vorlesen' }),
  saveAudio: 'Audio speichern',
  modes: { label: 'Text anzeigen als', text: 'Text', sentences: 'Sätze' },
  notSpoken: 'Noch nicht vorgelesen',
  listen: 'Ab der Schreibmarke anhören',
  listenTo: (words) => `Ab „${words}“ anhören`,
  stop: 'Anhören beenden',
  editNamed: (words) => `„${words}“ bearbeiten`,
  editKeys: 'Eingabe teilt an der Schreibmarke, Rücktaste am Anfang verbindet, Esc bricht ab',
  moreNamed: (words: string) => `Mehr zu „${words}“`,
  showInText: 'Im Text zeigen',
  joinWithNext: 'Mit nächstem Satz verbinden',
  retake: 'Noch einmal vorlesen',
  retakeState: 'Wird noch einmal vorgelesen',
  retakeMarked: 'Der Satz wird noch einmal vorgelesen',
  retakeCancelled: 'Der Satz bleibt, wie er ist',
  take: (n: number) => `Fassung ${n}`,
  pauseAfter: { sentence: 'Pause nach Sätzen', paragraph: 'Pause nach Absätzen' },
  speak: 'Vorlesen',
  again: 'Erneut vorlesen',
  againNamed: (name: string) => `${name} erneut vorlesen`,
  mayBePaid: (name: string) =>
    `Das steht schon in der Liste. Es erneut vorzulesen kann bei ${name} noch einmal etwas kosten.`,
  added: 'Zur Liste unten hinzugefügt.',
  spoken: 'Vorgelesen',
  none: 'Vorgelesene Texte erscheinen hier. Jeder ist auch als Datei gespeichert, die Sie überall verwenden können.',
  side: 'Stimme und Sprache',
  language: 'Sprache',
  ownLanguage: (name: string) => `${name} (von der Stimme)`,
  platform: 'Plattform',
  platforms: { web: 'Web', win: 'Windows', mac: 'Mac', phone: 'Telefon' },
  ownFolder: 'Musik/Timbre',
  usual: 'Standard',
  kept: {
    title: 'Vorgelesene Sätze',
    lead: 'Timbre behält jeden Satz eines langen Textes. Ein geänderter Text kostet deshalb nur so viel wie seine geänderten Sätze.',
    now: 'Sätze jetzt',
    usage: (n: number, bytes: number) =>
      n === 0 ? 'Noch keine Sätze' : `${count(n, { one: '# Satz', other: '# Sätze' })}, ${format.bytes(bytes)}`,
    removeAll: 'Alle Sätze löschen …',
    inUse: 'Ein Text wird noch vorgelesen. Warten Sie, bis er fertig ist, oder brechen Sie ihn ab. Löschen Sie dann.',
    removing: {
      title: 'Alle vorgelesenen Sätze löschen?',
      text: (n: number, bytes: number) =>
        `${count(n, { one: '# Satz', other: '# Sätze' })} mit ${format.bytes(bytes)} ${n === 1 ? 'wird' : 'werden'} gelöscht. Gespeicherte Aufnahmen und der Verlauf bleiben. Wenn Sie einen dieser Texte noch einmal vorlesen lassen, kann ein Dienst ihn ganz berechnen.`,
      confirm: 'Sätze löschen',
      cancel: 'Abbrechen',
    },
  },
  pronunciations: {
    title: 'Aussprache',
    open: 'Aussprache…',
    lead: 'Wörter, die anders gesprochen als geschrieben werden. Ihr Text bleibt, wie er ist.',
    language: 'Sprache',
    anyLanguage: 'Alle Sprachen',
    find: 'Wort suchen',
    word: 'Wort',
    spoken: 'Gesprochen als',
    wordOf: (word) => `Wort ${word}`,
    spokenOf: (word) => `${word} wird gesprochen als`,
    listen: (text) => `„${text}“ anhören`,
    add: 'Hinzufügen',
    remove: (word) => `${word} entfernen`,
    importFile: 'Importieren',
    exportFile: 'Exportieren',
    close: 'Schließen',
    empty: 'Für diese Auswahl gibt es noch keine Wörter.',
    noMatch: 'Kein Wort passt.',
    more: (n) =>
      count(n, { one: '# weiteres Wort. Die Suche zeigt es.', other: '# weitere Wörter. Die Suche zeigt sie.' }),
    exchanged: (exchange) =>
      exchange.kind === 'exported'
        ? count(exchange.count, { one: '# Wort exportiert.', other: '# Wörter exportiert.' })
        : [
            count(exchange.added, { one: '# Wort hinzugefügt', other: '# Wörter hinzugefügt' }),
            ...(exchange.changed > 0 ? [`${format.number(exchange.changed)} geändert`] : []),
            ...(exchange.skipped > 0
              ? [`${format.number(exchange.skipped)} ausgelassen, weil sie nur eine Lautschrift haben`]
              : []),
          ].join(', ') + '.',
  },
  speakers: {
    title: 'Sprechrollen',
    hint: 'Beginnen Sie einen Absatz mit einem Namen und einem Doppelpunkt, etwa „Anna:“, um ihm eine eigene Stimme zu geben.',
    choose: 'Stimme wählen',
    voiceOf: (name, voice) => `${name}: ${voice}`,
    findFor: (name) => `Stimme für ${name} suchen`,
    adjust: (name) => `Tonhöhe und Tempo von ${name}`,
    asText: 'Wie der übrige Text',
    remove: (name) => `Stimme von ${name} entfernen`,
    missing: (voice) => `${voice} ist hier nicht verfügbar. Wählen Sie eine andere Stimme.`,
    unused: (n) => count(n, { one: '# weitere, nicht in diesem Text', other: '# weitere, nicht in diesem Text' }),
    name: 'Weiterer Name',
    add: 'Hinzufügen',
    badName: 'Verwenden Sie höchstens 40 Zeichen und keinen Doppelpunkt.',
  },
};

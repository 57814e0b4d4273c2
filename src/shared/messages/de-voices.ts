import { createAgo, formatFor } from './locale-format.ts';
import type { enCompare, enPreview, enVoices } from './en-voices.ts';

const { clockLength, count, number } = formatFor('de');
const tenths = (seconds: number) => number(Math.round(seconds * 10) / 10);
const ago = createAgo('de');

export const deVoices: typeof enVoices = {
  number: (n) => count(n, { one: '# Stimme', other: '# Stimmen' }),
  match: (n, of) =>
    of === null ? count(n, { one: '# passt', other: '# passen' }) : `${number(n)} von ${number(of)} passen`,
  updated: (seconds) => `${ago(seconds) ?? 'gerade eben'} aktualisiert`,
  copyOf: (when) => `gespeicherte Kopie, Stand ${when}`,
  fromCopy: (when) => `Dies ist die gespeicherte Kopie, Stand ${when}.`,
  refresh: 'Aktualisieren',
  filters: 'Stimmen filtern',
  all: 'Alle',
  favourites: 'Favoriten',
  order: 'Reihenfolge',
  orders: { service: 'Standard', name: 'Nach Name', pitch: 'Tief bis hoch', recent: 'Zuletzt verwendet' },
  search: 'Stimmen durchsuchen',
  searchHint: 'Name, Sprache, Notiz',
  language: 'Sprache',
  gender: 'Geschlecht',
  category: 'Kategorie',
  anyLanguage: 'Alle Sprachen',
  anyGender: 'Alle Geschlechter',
  anyCategory: 'Alle Kategorien',
  version: 'Daten v2',
  versionHint: 'Die Version der Stimmdaten, die Timbre anfordert',
  pages: 'Seiten',
  page: (n, of) => `Seite ${number(n)} von ${number(of)}`,
  before: 'Vorherige Seite',
  next: 'Nächste Seite',
  about: 'Über diese Stimme',
  use: 'Diese Stimme verwenden',
  speak: 'Text vorlesen',
  inUse: 'Wird verwendet',
  using: (name) => `Aufnahmen werden jetzt zu ${name} konvertiert.`,
  favourite: 'Favorit',
  favouriteAdded: (name) => `${name} zu Favoriten hinzugefügt`,
  favouriteRemoved: (name) => `${name} aus Favoriten entfernt`,
  note: 'Ihre Notiz',
  noteHint: 'Wofür Sie sie verwenden',
  hasNote: 'hat eine Notiz',
  similar: {
    title: 'Klingt ähnlich',
    pitch: (hz) => `${number(Math.round(hz))} Hz`,
    unheard: 'Hören Sie diese Stimme an, um ihren Klang mit den bereits gehörten Stimmen zu vergleichen.',
    onlyOne: 'Hören Sie weitere Stimmen an: Nur gehörte Stimmen lassen sich vergleichen.',
    none: (n) =>
      count(n, {
        one: 'Nicht die eine andere Stimme, die Sie gehört haben. Hören Sie weitere an.',
        other: 'Keine der # anderen Stimmen, die Sie gehört haben. Hören Sie weitere an.',
      }),
    basis: (n) =>
      count(n, {
        one: 'Nach gemessener Tonhöhe und Helligkeit, aus der einen anderen gehörten Stimme.',
        other: 'Nach gemessener Tonhöhe und Helligkeit, aus den # anderen gehörten Stimmen.',
      }),
  },
  pitch: 'Tonhöhe',
  speed: 'Tempo',
  formats: 'Formate',
  id: 'ID',
  loadingDetails: 'Details werden geladen',
  noMatch: 'Keine Stimme passt zu diesen Filtern',
  matchWithout: (n, filter) =>
    count(n, { one: `# Stimme passt ohne „${filter}“.`, other: `# Stimmen passen ohne „${filter}“.` }),
  noneWithout: 'Einen einzelnen Filter zu entfernen hilft nicht.',
  removeFilter: (filter) => `„${filter}“ entfernen`,
  clearFilters: 'Alle Filter entfernen',
  noFavourites: 'Noch keine Favoriten',
  noFavouritesHint: 'Fügen Sie eine Stimme mit ihrem Stern oder der Taste F hinzu.',
  showAll: 'Alle Stimmen anzeigen',
  empty: 'Noch keine Stimmen',
  emptyHint: (connection) => `${connection} bietet keine Stimmen an.`,
  loadFailed: 'Die Stimmen lassen sich nicht laden',
  keys: { move: 'bewegen', details: 'Details', favourite: 'Favorit', use: 'verwenden' },
};

export const dePreview: typeof enPreview = {
  listen: 'Anhören',
  listenTo: (name) => `${name} anhören`,
  stop: 'Anhalten',
  playing: 'wird abgespielt',
  loading: 'Wird vorbereitet',
  text: 'Text der Hörprobe',
  textHint: 'Ein Satz in der Sprache der Stimme',
  with: 'Stimmen anhören mit',
  choices: { sentence: 'Satz', text: 'Eigener Text', recording: 'Aufnahme' },
  onRecording: (name) => `Mit Ihrer Aufnahme ${name}`,
  recording: {
    title: 'Stimmen an Ihrer Aufnahme ausprobieren',
    hint: 'Hören Sie bis zu zehn Sekunden Ihrer eigenen Aufnahme mit jeder Stimme.',
    choose: 'Aufnahme wählen …',
    chooseOther: 'Andere wählen …',
    change: 'Ausschnitt ändern …',
    remove: 'Aufnahme aus Timbre entfernen',
    drop: 'Aufnahme hier ablegen, um Stimmen daran auszuprobieren',
    opening: 'Aufnahme wird gelesen',
    stillKept: 'Stimmen sprechen weiterhin den Ausschnitt, den Sie vorher gewählt haben.',
    lead: 'Jede Stimme, die Sie anhören, spricht diesen Ausschnitt.',
    part: 'Ausschnitt',
    start: 'Anfang des Ausschnitts',
    end: 'Ende des Ausschnitts',
    span: (start, seconds) => `${clockLength(start)} bis ${clockLength(start + seconds)}, ${tenths(seconds)}\u00a0s`,
    of: (all) => `von ${clockLength(all)}`,
    listen: 'Anhören',
    use: 'Ausschnitt verwenden',
    keeping: 'Ausschnitt wird aufbewahrt',
    keys: { move: 'verschieben', resize: 'länger oder kürzer' },
  },
  keys: { listen: 'anhören' },
  question: {
    first: {
      title: (name) => `${name} anhören?`,
      lead: (service) =>
        `${service} muss dafür diesen Text sprechen und kann das berechnen. Timbre bewahrt die Aufnahme auf und fordert jede Stimme nur einmal an. Künftig genügt es, eine Stimme dieser Verbindung auszuwählen.`,
    },
    lost: {
      title: (name) => `Hörprobe von ${name} noch einmal anfordern?`,
      lead: (service) =>
        `Die Antwort auf eine frühere Anfrage ging verloren. ${service} hat sie vielleicht schon berechnet und berechnet sie dann noch einmal.`,
    },
    gone: {
      title: (name) => `Hörprobe von ${name} noch einmal anfordern?`,
      lead: (service) =>
        `Die Aufnahme einer früheren Anfrage ist nicht mehr auf diesem Computer. ${service} berechnet sie vielleicht noch einmal.`,
    },
    tried: {
      title: (name) => `${name} an Ihrer Aufnahme ausprobieren?`,
      lead: (service, seconds) =>
        `Jede Stimme, die Sie ausprobieren, ist eine Konvertierung von ${tenths(seconds)}\u00a0s bei ${service} und kann berechnet werden. Timbre bewahrt das Ergebnis auf und lässt jede Stimme nur einmal konvertieren. Künftig genügt es für diesen Ausschnitt, eine Stimme dieser Verbindung auszuwählen.`,
    },
    confirm: 'Anhören',
    cancel: 'Abbrechen',
  },
};

export const deCompare: typeof enCompare = {
  title: 'Stimmen vergleichen',
  compare: 'Vergleichen',
  addAnother: 'Fügen Sie eine weitere Stimme hinzu.',
  full: 'Vier Stimmen lassen sich vergleichen. Entfernen Sie zuerst eine.',
  clear: 'Leeren',
  takeOut: (name) => `${name} aus dem Vergleich entfernen`,
  added: (name) => `${name} zum Vergleich hinzugefügt`,
  removed: (name) => `${name} aus dem Vergleich entfernt`,
  compared: 'im Vergleich als',
  counts: (cached, of, calls) =>
    `${cached === 0 ? 'Keine' : number(cached)} von ${number(of)} Hörproben ${cached > 1 ? 'sind' : 'ist'} auf diesem Computer. Für die übrigen ${count(calls, { one: 'ist # Anfrage', other: 'sind # Anfragen' })} nötig.`,
  countsOfRecording: (cached, of, calls, seconds) =>
    `${cached === 0 ? 'Keine' : number(cached)} von ${number(of)} Hörproben ${cached > 1 ? 'sind' : 'ist'} auf diesem Computer. Für die übrigen ${count(calls, { one: 'ist # Konvertierung', other: 'sind # Konvertierungen' })} von ${tenths(seconds)}\u00a0s nötig.`,
  cost: (service) => `${service} kann jede berechnen. Timbre bewahrt die Aufnahmen auf und fordert jede nur einmal an.`,
  repeated: (n) =>
    count(n, {
      one: '# davon wurde schon einmal angefordert und wird vielleicht noch einmal berechnet.',
      other: '# davon wurden schon einmal angefordert und werden vielleicht noch einmal berechnet.',
    }),
  agree: (n) => count(n, { one: '# Hörprobe anfordern', other: '# Hörproben anfordern' }),
  preparing: 'Hörproben werden vorbereitet',
  equallyLoud: 'Alle laufen gleichzeitig und sind gleich laut.',
  use: (name) => `${name} verwenden`,
  keys: { switch: 'wechseln', play: 'abspielen, anhalten', compare: 'vergleichen' },
};

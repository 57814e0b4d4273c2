import type { enConnections } from './en-connections.ts';

/** What stands under Settings of the services, their tokens and their tests. */
export const deConnections: typeof enConnections = {
  title: 'Verbindungen',
  lead: 'Wo Aufnahmen umgewandelt werden. Ein Dienst wird in einer Datei beschrieben, in der das Token nie steht.',
  add: 'Dienst hinzufügen',
  edit: 'Bearbeiten',
  editNamed: (name: string) => `${name} bearbeiten`,
  import: 'Aus einer Datei hinzufügen…',
  use: 'Nutzen',
  useNamed: (name: string) => `${name} nutzen`,
  used: 'In Gebrauch',
  test: 'Prüfen',
  testNamed: (name: string) => `${name} prüfen`,
  testing: 'Wird geprüft…',
  token: 'Token',
  tokenOf: (name: string) => `Token von ${name}`,
  tokenHint: 'Token hier einfügen',
  export: 'Exportieren',
  exportNamed: (name: string) => `${name} exportieren`,
  remove: 'Entfernen',
  removeNamed: (name: string) => `${name} entfernen`,
  reallyRemove: 'Mit ihrem Token entfernen',
  keep: 'Behalten',
  operations: { voices: 'Stimmen.', 'voice-detail': 'Eine Stimme.', models: 'Eigene Stimmen.' },
  understood: (time: string) => `Erreicht, eingelassen und verstanden in ${time}.`,
  notAsked: 'Nicht gefragt: Die Liste nennt keine Stimme.',
  suspect: (field: string) => `In der Datei nach „${field}“ sehen.`,
  asking: 'Der Passwortspeicher wird gefragt',
  noToken: 'Noch gibt es kein Token.',
  places: {
    keychain: 'Das Token liegt im Passwortspeicher dieses Computers.',
    session: 'Das Token bleibt bis zum Beenden.',
    file: 'Das Token liegt in einer Datei, die jedes eigene Programm lesen kann.',
  },
  otherOrigins: (origins: string) =>
    `Es wurde für eine andere Adresse eingegeben und wird nicht an ${origins} gesendet. Es erneut eingeben.`,
  removalPending:
    'Der Passwortspeicher hat nicht geantwortet. Vielleicht hat er noch das alte Token; es wird nicht mehr benutzt und entfernt, sobald er antwortet.',
  tokenFault:
    'Ein Token hat höchstens 65.536 Zeichen: Buchstaben, Ziffern und Zeichen ohne Akzente und Zeilenumbrüche.',
  keepToken: 'Token behalten',
  keepForSession: 'Für diese Sitzung behalten',
  clear: 'Vergessen',
  noKeychain:
    'Dieser Computer hat keinen Passwortspeicher, den Timbre nutzen kann. Das Token bleibt nur bis zum Beenden.',
  storeInFile: 'Weniger sicher speichern',
  fileIsReadable: 'Weniger sicher heißt: in einer Datei, die jedes eigene Programm lesen kann.',
};

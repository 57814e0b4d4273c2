import type { enConnections } from './en-connections.ts';

export const deConnections: typeof enConnections = {
  title: 'Verbindungen',
  lead: 'Dienste, die Aufnahmen konvertieren und Texte vorlesen. Token werden getrennt gespeichert und nie exportiert.',
  add: 'Dienst hinzufügen',
  edit: 'Bearbeiten',
  editNamed: (name: string) => `${name} bearbeiten`,
  import: 'Aus Datei hinzufügen …',
  use: 'Verwenden',
  useNamed: (name: string) => `${name} verwenden`,
  used: 'Wird verwendet',
  test: 'Testen',
  testNamed: (name: string) => `${name} testen`,
  testing: 'Wird getestet …',
  token: 'Token',
  tokenOf: (name: string) => `Token für ${name}`,
  tokenHint: 'Token hier einfügen',
  export: 'Exportieren',
  exportNamed: (name: string) => `${name} exportieren`,
  remove: 'Entfernen',
  removeNamed: (name: string) => `${name} entfernen`,
  confirmRemove: 'Mit Token entfernen',
  cancel: 'Abbrechen',
  operations: { voices: 'Stimmen.', 'voice-detail': 'Details einer Stimme.', models: 'Eigene Stimmen.' },
  understood: (time: string) => `Verbunden, angemeldet und verstanden in ${time}.`,
  notAsked: 'Nicht getestet: Die Liste enthält keine Stimmen.',
  suspect: (field: string) => `Wählen Sie „Bearbeiten“ und prüfen Sie „${field}“.`,
  checking: 'Der Passwortspeicher wird geprüft',
  noToken: 'Noch kein Token.',
  places: {
    keychain: 'Das Token ist im Passwortspeicher dieses Computers gespeichert.',
    session: 'Das Token wird behalten, bis Sie Timbre beenden.',
    file: 'Das Token ist in einer Datei gespeichert, die jedes von Ihnen gestartete Programm lesen kann.',
  },
  otherOrigins: (origins: string) =>
    `Sie haben es für eine andere Adresse eingegeben, darum wird es nicht an ${origins} gesendet. Geben Sie es noch einmal ein.`,
  removalPending:
    'Der Passwortspeicher antwortet nicht. Vielleicht enthält er noch das alte Token. Timbre verwendet es nicht mehr und entfernt es, sobald der Passwortspeicher antwortet.',
  tokenFault:
    'Ein Token hat höchstens 65.536 Zeichen: Buchstaben, Ziffern und Symbole ohne Akzente und Zeilenumbrüche.',
  saveToken: 'Token speichern',
  keepForSession: 'Für diese Sitzung behalten',
  deleteToken: 'Token löschen',
  noKeychain:
    'Dieser Computer hat keinen Passwortspeicher, den Timbre verwenden kann. Ihr Token wird nur behalten, bis Sie Timbre beenden.',
  storeInFile: 'Weniger sicher speichern',
  fileIsReadable: 'Weniger sicher heißt: in einer Datei, die jedes von Ihnen gestartete Programm lesen kann.',
};

/** Dialogs of the system. Null, or an empty list, means that the user cancelled. All throw `dialog/failed` where there are none. */
export interface Dialogs {
  chooseFile(): Promise<string | null>;
  chooseFiles(): Promise<readonly string[]>;
  chooseFolder(): Promise<string | null>;
  /** Only a folder on systems whose dialog supports just one of them. */
  chooseFileOrFolder(): Promise<string | null>;
  chooseProgram(): Promise<string | null>;
  /** Chooses files of texts. */
  chooseTexts(): Promise<readonly string[]>;
  /** Chooses a file with a connection, or with presets. */
  chooseDocument(): Promise<string | null>;
  /** Chooses the path of a new file. The dialog asks before it replaces one. */
  chooseNewDocument(name: string): Promise<string | null>;
  /** Chooses a pronunciation lexicon. */
  chooseLexicon(): Promise<string | null>;
  chooseNewLexicon(name: string): Promise<string | null>;
  /** Chooses a history export to import. */
  chooseExport(): Promise<string | null>;
  /** For an export of history or statistics. */
  chooseNewExport(name: string): Promise<string | null>;
  /** Asks whether all requests may use this proxy. */
  confirmProxy(address: string): Promise<boolean>;
  /** Asks whether the program may run with these arguments. */
  confirmArguments(program: string, args: readonly string[]): Promise<boolean>;
}

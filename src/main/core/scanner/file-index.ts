import { join, sep } from 'node:path';

/** The known contents of one folder. */
export interface IndexedFolder {
  /** Device of the folder: another one means that another disk is mounted there. Null until it was read. */
  device: string | null;
  /** Name to signature text. */
  readonly files: Map<string, string>;
  /** Names of its subfolders. */
  readonly folders: Set<string>;
}

/** All known files of a root, in memory only. Paths are relative to the root, which is the empty path. */
export interface FileIndex {
  findFolder(folder: string): IndexedFolder | undefined;
  /** Creates the folder if it is unknown. */
  openFolder(folder: string): IndexedFolder;
  /** Returns the signature text of a file. */
  findFile(path: string): string | undefined;
  /** Returns true if that changed anything. */
  setFile(path: string, text: string): boolean;
  deleteFile(path: string): void;
  /** Lists the files in a folder and below it. */
  filesBelow(folder: string): readonly string[];
  /** Lists a folder and those below it. */
  foldersBelow(folder: string): readonly string[];
  /** Deletes a folder that has no file in or below it. */
  removeEmpty(folder: string): void;
  folders(): IterableIterator<string>;
  /** Old to new device numbers: some disks get another number each time they are mounted. */
  readonly renumbered: Map<string, string>;
}

/** Splits a relative path into its folder and its last name. */
export function splitPath(path: string): { readonly folder: string; readonly name: string } {
  const at = path.lastIndexOf(sep);
  return { folder: at < 0 ? '' : path.slice(0, at), name: path.slice(at + 1) };
}

export const joinPath = (folder: string, name: string): string => (folder === '' ? name : `${folder}${sep}${name}`);

export function createFileIndex(): FileIndex {
  const byFolder = new Map<string, IndexedFolder>();

  function openFolder(folder: string): IndexedFolder {
    const known = byFolder.get(folder);
    if (known) return known;
    const added: IndexedFolder = { device: null, files: new Map(), folders: new Set() };
    byFolder.set(folder, added);
    if (folder !== '') {
      const { folder: parent, name } = splitPath(folder);
      openFolder(parent).folders.add(name);
    }
    return added;
  }

  function foldersBelow(folder: string): readonly string[] {
    const found = byFolder.has(folder) ? [folder] : [];
    // The loop also visits what it appends.
    for (const at of found) {
      for (const name of byFolder.get(at)?.folders ?? []) found.push(joinPath(at, name));
    }
    return found;
  }

  const filesBelow = (folder: string): readonly string[] =>
    foldersBelow(folder).flatMap((at) => [...(byFolder.get(at)?.files.keys() ?? [])].map((name) => joinPath(at, name)));

  return {
    findFolder: (folder) => byFolder.get(folder),
    openFolder,
    findFile(path) {
      const { folder, name } = splitPath(path);
      return byFolder.get(folder)?.files.get(name);
    },
    setFile(path, text) {
      const { folder, name } = splitPath(path);
      const { files } = openFolder(folder);
      if (files.get(name) === text) return false;
      files.set(name, text);
      return true;
    },
    deleteFile(path) {
      const { folder, name } = splitPath(path);
      byFolder.get(folder)?.files.delete(name);
    },
    filesBelow,
    foldersBelow,
    removeEmpty(folder) {
      if (filesBelow(folder).length > 0) return;
      for (const at of foldersBelow(folder)) byFolder.delete(at);
      const { folder: parent, name } = splitPath(folder);
      byFolder.get(parent)?.folders.delete(name);
    },
    folders: () => byFolder.keys(),
    renumbered: new Map(),
  };
}

/** Returns the absolute path of one that is relative to `root`. */
export const onDisk = (root: string, path: string): string => (path === '' ? root : join(root, path));

/** True if a path is below a folder; both are relative to the same root. */
export const isInsideFolder = (folder: string, path: string): boolean => path.startsWith(`${folder}${sep}`);

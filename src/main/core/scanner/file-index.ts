import { join, sep } from 'node:path';

/** What was last told of the files of one folder. */
export interface IndexedFolder {
  /** Of the folder itself: another one means that another disk lies there now. Null until it was read. */
  device: string | null;
  /** Name to signature, in short. */
  readonly files: Map<string, string>;
  /** Names of the folders in it. */
  readonly folders: Set<string>;
}

/** All that was told of a root, in memory only. Paths are relative to the root; the root itself is the empty one. */
export interface FileIndex {
  get(folder: string): IndexedFolder | undefined;
  /** As `get`, and makes room for it. */
  open(folder: string): IndexedFolder;
  fileText(path: string): string | undefined;
  /** True if that is news. */
  putFile(path: string, text: string): boolean;
  deleteFile(path: string): void;
  /** Files in a folder and below it. */
  filesBelow(folder: string): readonly string[];
  /** A folder and those below it. */
  foldersBelow(folder: string): readonly string[];
  /** Forgets a folder without a file in or below it. False if it holds one. */
  closeEmpty(folder: string): boolean;
  folders(): IterableIterator<string>;
  /** Numbers that disks had to those that they have: some are given another one each time they are mounted. */
  readonly renumbered: Map<string, string>;
  readonly size: number;
}

/** Where a relative path is cut: its folder, and its last name. */
export function splitPath(path: string): { readonly folder: string; readonly name: string } {
  const at = path.lastIndexOf(sep);
  return { folder: at < 0 ? '' : path.slice(0, at), name: path.slice(at + 1) };
}

export const joinPath = (folder: string, name: string): string => (folder === '' ? name : `${folder}${sep}${name}`);

export function createFileIndex(): FileIndex {
  const byFolder = new Map<string, IndexedFolder>();

  function open(folder: string): IndexedFolder {
    const known = byFolder.get(folder);
    if (known) return known;
    const added: IndexedFolder = { device: null, files: new Map(), folders: new Set() };
    byFolder.set(folder, added);
    if (folder !== '') {
      const { folder: parent, name } = splitPath(folder);
      open(parent).folders.add(name);
    }
    return added;
  }

  function foldersBelow(folder: string): readonly string[] {
    const found = byFolder.has(folder) ? [folder] : [];
    // The list grows while it is gone through: that is the walk.
    for (const at of found) {
      for (const name of byFolder.get(at)?.folders ?? []) found.push(joinPath(at, name));
    }
    return found;
  }

  const filesBelow = (folder: string): readonly string[] =>
    foldersBelow(folder).flatMap((at) => [...(byFolder.get(at)?.files.keys() ?? [])].map((name) => joinPath(at, name)));

  return {
    get: (folder) => byFolder.get(folder),
    open,
    fileText(path) {
      const { folder, name } = splitPath(path);
      return byFolder.get(folder)?.files.get(name);
    },
    putFile(path, text) {
      const { folder, name } = splitPath(path);
      const { files } = open(folder);
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
    closeEmpty(folder) {
      if (filesBelow(folder).length > 0) return false;
      for (const at of foldersBelow(folder)) byFolder.delete(at);
      const { folder: parent, name } = splitPath(folder);
      byFolder.get(parent)?.folders.delete(name);
      return true;
    },
    folders: () => byFolder.keys(),
    renumbered: new Map(),
    get size() {
      return byFolder.size;
    },
  };
}

/** The path on the disk of one that is relative to `root`. */
export const onDisk = (root: string, path: string): string => (path === '' ? root : join(root, path));

/** A path is below a folder, both relative to the same root. */
export const isInsideFolder = (folder: string, path: string): boolean => path.startsWith(`${folder}${sep}`);

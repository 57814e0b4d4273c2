import { randomUUID } from 'node:crypto';
import { existsSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as v from 'valibot';
import { AppError } from '../../shared/errors.ts';
import type { Settings } from '../../shared/schemas/settings.ts';
import { type DataPlace, ensurePrivateFolder } from './data-folder.ts';
import { readTextSync } from './files/content.ts';
import { readSettingsFile } from './settings.ts';

/**
 * Data in a folder beside the program, which moves from computer to computer. An archive can contain such a folder, too, so
 * what runs without the user (jobs, watched folders, the hook) waits on each computer until they have seen the data there.
 */
export interface PortableData {
  /** Folder of what stays on this computer: tokens, and which portable data it knows. */
  readonly computerFolder: string;
  /** Where Chromium keeps its session and its lock, which is a link on Linux and macOS: not every stick can hold one. */
  readonly sessionFolder: string;
  /** True until `remember`, on a computer that has never opened this data. */
  isNew(): boolean;
  /** Call once nothing of the data runs without the user any more. */
  remember(): void;
}

const maxKnown = 100;
const idSchema = v.pipe(v.string(), v.uuid());
const knownSchema = v.array(idSchema);

function readJson<Schema extends v.GenericSchema>(path: string, schema: Schema): v.InferOutput<Schema> | null {
  try {
    return v.parse(schema, JSON.parse(readTextSync(path)));
  } catch {
    // Missing or damaged: as if this computer had never seen the data.
    return null;
  }
}

/** Writes a small file so that it is never half there, also if several processes do. */
function writeJson(path: string, value: unknown): void {
  const part = `${path}.${randomUUID()}`;
  try {
    writeFileSync(part, JSON.stringify(value), { mode: 0o600 });
    renameSync(part, path);
  } catch (error) {
    rmSync(part, { force: true });
    throw error;
  }
}

/** Starts no program, and sends no result to a place that this computer's user did not choose. */
const withoutActions = (settings: Settings): Settings => ({
  ...settings,
  hook: { ...settings.hook, isOn: false },
  ffmpegPath: null,
  outputFolder: null,
});

/** A stick that became full or read-only is noticed before anything depends on it. */
function probeWriting(folder: string): void {
  const path = join(folder, `.write-${randomUUID()}`);
  try {
    writeFileSync(path, 'Timbre');
  } finally {
    rmSync(path, { force: true });
  }
}

function canLink(folder: string): boolean {
  const path = join(folder, `.link-${randomUUID()}`);
  try {
    symlinkSync('nowhere', path);
    rmSync(path);
    return true;
  } catch {
    return false;
  }
}

/**
 * Opens portable data; call it before anything else reads or writes there. On a computer that does not know it, the settings
 * lose what runs without the user. Null if the data is not portable. Throws `data/portable-not-writable`.
 */
export function openPortableData({ folder, computerFolder }: DataPlace): PortableData | null {
  if (computerFolder === null) return null;
  const idPath = join(folder, 'portable.json');
  const knownPath = join(computerFolder, 'portable-data.json');
  const settingsPath = join(folder, 'settings.json');
  ensurePrivateFolder(folder);
  ensurePrivateFolder(computerFolder);
  const stored = readJson(idPath, idSchema);
  const id = stored ?? randomUUID();
  const known = () => readJson(knownPath, knownSchema) ?? [];
  // An empty folder is how the user begins.
  const isEmpty = !existsSync(settingsPath) && !existsSync(join(folder, 'timbre.db'));
  let isNew = !isEmpty && (stored === null || !known().includes(id));

  function remember(): void {
    isNew = false;
    if (known().includes(id)) return;
    try {
      writeJson(knownPath, [...known().filter((other) => other !== id), id].slice(-maxKnown));
    } catch {
      // A computer that keeps nothing asks again at the next start.
    }
  }

  try {
    if (stored === null) writeJson(idPath, id);
    else probeWriting(folder);
    const settings = isNew ? readSettingsFile(settingsPath) : null;
    if (settings && existsSync(settingsPath)) writeJson(settingsPath, withoutActions(settings));
  } catch (cause) {
    throw new AppError('data/portable-not-writable', `cannot write to ${folder}`, { cause, facts: { name: folder } });
  }
  if (!isNew) remember();
  const hasLinks = process.platform === 'win32' || canLink(folder);
  return {
    computerFolder,
    sessionFolder: hasLinks ? folder : join(computerFolder, 'portable-sessions', id),
    isNew: () => isNew,
    remember,
  };
}

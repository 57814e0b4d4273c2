// A fresh start without network and other processes. Reads all of history, and reports what it found or why it could not.
// Argument: an `OfflineOrder` as JSON.
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { readFile, stat } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { openHistory, type HistoryCase } from './open-history.ts';

export interface OfflineOrder {
  readonly folder: string;
  readonly searches: readonly string[];
}

export interface OfflineFinding {
  readonly rows: readonly string[];
  readonly searches: Readonly<Record<string, readonly string[]>>;
  /** Entries by id: whether all of it could be seen, heard, drawn and taken along, and the hashes of what was heard. */
  readonly entries: Readonly<Record<string, OfflineEntry>>;
  readonly exported: Readonly<Record<'list' | 'sound', { readonly entries: number; readonly bytes: number }>>;
  /** Names of processes that were asked for. */
  readonly spawned: readonly string[];
}

interface OfflineEntry {
  readonly voice: string;
  readonly folds: readonly boolean[];
  readonly sounds: readonly string[];
  readonly part: number;
  readonly revealed: string;
  readonly dragged: string;
  readonly copied: string;
}

export type OfflineMessage =
  { readonly type: 'found'; readonly finding: OfflineFinding } | { readonly type: 'failed'; readonly why: string };

/** A port without a listener. A trace of this process must contain one call to it, at the end. */
const knownPort = 9;

const { folder, searches } = JSON.parse(process.argv[2] ?? '') as OfflineOrder;
const tell = (message: OfflineMessage) => new Promise<void>((resolve) => process.send?.(message, () => resolve()));
const hashOf = async (response: Response) =>
  createHash('sha256')
    .update(Buffer.from(await response.arrayBuffer()))
    .digest('hex');
const partBytes = 100;

async function entryOf({ api, media, person }: HistoryCase, id: string): Promise<OfflineEntry> {
  const { row } = await api.history.detail({ id });
  const sides = row.kind === 'speech' ? (['result'] as const) : (['source', 'result'] as const);
  const folds: boolean[] = [];
  const sounds: string[] = [];
  let part = 0;
  for (const which of sides) {
    folds.push((await api.jobs.getWaveform({ id, which })) !== null);
    sounds.push(await hashOf(await media(id, which)));
    const some = await media(id, which, `bytes=50-${50 + partBytes - 1}`);
    if (some.status === 206) part += (await some.arrayBuffer()).byteLength;
  }
  await api.jobs.reveal({ id, which: 'result' });
  await api.history.drag({ ids: [id] });
  await api.history.copyPaths({ ids: [id] });
  return {
    voice: row.voice.name,
    folds,
    sounds,
    part: part / sides.length,
    revealed: person.revealed.at(-1) ?? '',
    dragged: person.dragged.at(-1)?.join('\n') ?? '',
    copied: person.copied.at(-1) ?? '',
  };
}

async function look(): Promise<OfflineFinding> {
  const spawned: string[] = [];
  const app = await openHistory({
    folder,
    onEnd: () => undefined,
    spawnService(name) {
      spawned.push(name);
      throw new Error(`nobody starts the ${name}`);
    },
  });
  await app.sound();
  const ids = async (text: string) => (await app.rows(text)).map(({ id }) => id);
  const rows = await ids('');
  const found: Record<string, readonly string[]> = {};
  for (const text of searches) found[text] = await ids(text);
  const entries: Record<string, OfflineEntry> = {};
  for (const id of rows) {
    const [state] = await app.api.history.getFileStatus({ ids: [id] });
    if (state?.result === 'there') entries[id] = await entryOf(app, id);
  }
  const exported = async (what: 'list' | 'sound') => {
    app.person.answer = join(folder, `offline.${what}`);
    const written = await app.api.history.export({ choice: null, what });
    const bytes = (await stat(app.person.answer)).size;
    await readFile(app.person.answer);
    return { entries: written?.entries ?? 0, bytes };
  };
  const finding = {
    rows,
    searches: found,
    entries,
    exported: { list: await exported('list'), sound: await exported('sound') },
    spawned,
  };
  await app.close();
  await once(connect(knownPort, '127.0.0.1'), 'error');
  return finding;
}

try {
  await tell({ type: 'found', finding: await look() });
} catch (error) {
  await tell({ type: 'failed', why: error instanceof Error ? (error.stack ?? error.message) : String(error) });
}
process.disconnect();

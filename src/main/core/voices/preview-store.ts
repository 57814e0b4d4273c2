import type { DatabaseSync } from 'node:sqlite';
import * as v from 'valibot';
import type { VoiceFeatures } from '../../../shared/schemas/voice.ts';
import { fromRow, nullableNumber, nullableText, toRow } from '../database/columns.ts';

/** What is heard in a preview. */
export interface PreviewKey {
  readonly connectionId: string;
  readonly voiceId: string;
  /** A hash of what the voice says and of all settings; of a recording after its id, see `contentHashOf`. */
  readonly contentHash: string;
}

/** The recording comes first, so that its previews can be told from those of texts and of others. */
export const contentHashOf = (excerptId: string | null, hash: string): string =>
  excerptId === null ? hash : `${excerptId}-${hash}`;

/** A preview that was asked for. Without `file` and `audioUrl`, nobody knows whether the service has made it. */
interface StoredPreview extends VoiceFeatures {
  /** Where its sound is to be fetched from; null before the reply and once it is fetched. */
  readonly audioUrl: string | null;
  /** Name of its file; null until it is about to get it. */
  readonly file: string | null;
}

/** Previews of the data folder's database. */
export interface PreviewStore {
  find(key: PreviewKey): StoredPreview | undefined;
  /** True if a preview of the connection with this recording was asked for before, or without one for null. */
  hasAny(connectionId: string, excerptId: string | null): boolean;
  /** Write before the call that makes it. Its place in time is after all others of the connection. */
  add(key: PreviewKey, requestedAt: number): void;
  change(key: PreviewKey, change: Partial<StoredPreview>): void;
  remove(key: PreviewKey): void;
  /** Removes the previews of a connection whose service is another now. */
  forget(connectionId: string): void;
  /** The latest measured preview of each voice; what is converted sounds like the recording, too. */
  features(connectionId: string): ReadonlyMap<string, VoiceFeatures>;
  /** Removes all but the newest previews of a connection, of texts or of recordings, and returns the names of their files. */
  trim(connectionId: string, of: 'text' | 'recording', most: number): readonly string[];
  /** Names of all files. */
  files(): ReadonlySet<string>;
}

const features = {
  f0Hz: nullableNumber,
  brightness: v.pipe(
    nullableNumber,
    v.transform((value) => value ?? 0),
  ),
  levelDb: nullableNumber,
};
const stored = v.object({ audioUrl: nullableText, file: nullableText, ...features });
const measured = v.object({ voiceId: v.string(), ...features });

const isOfText = `content_hash NOT LIKE '%-%'`;
const isKey = 'connection_id = :connectionId AND voice_id = :voiceId AND content_hash = :contentHash';

export function createPreviewStore(database: DatabaseSync): PreviewStore {
  const select = database.prepare(
    `SELECT audio_url, file, f0_hz, brightness, level_db FROM voice_preview WHERE ${isKey}`,
  );
  const selectAnyText = database.prepare(`SELECT 1 FROM voice_preview WHERE connection_id = ? AND ${isOfText} LIMIT 1`);
  const selectAny = database.prepare(
    `SELECT 1 FROM voice_preview WHERE connection_id = ? AND content_hash LIKE ? || '-%' LIMIT 1`,
  );
  // The latest is the newest, even after the clock was set back: otherwise `trim` would remove it at once.
  const insert = database.prepare(
    `INSERT OR REPLACE INTO voice_preview (connection_id, voice_id, content_hash, requested_at)
     SELECT :connectionId, :voiceId, :contentHash, max(:requestedAt, coalesce(max(requested_at) + 1, 0))
     FROM voice_preview WHERE connection_id = :connectionId`,
  );
  const remove = database.prepare(`DELETE FROM voice_preview WHERE ${isKey}`);
  const removeAll = database.prepare('DELETE FROM voice_preview WHERE connection_id = ?');
  const selectFeatures = database.prepare(
    `SELECT voice_id, f0_hz, brightness, level_db FROM voice_preview
     WHERE connection_id = ? AND file IS NOT NULL AND ${isOfText} ORDER BY requested_at`,
  );
  const removeOld = database.prepare(
    `DELETE FROM voice_preview WHERE connection_id = :connectionId AND (${isOfText}) = :isOfText AND requested_at <= (
       SELECT requested_at FROM voice_preview WHERE connection_id = :connectionId AND (${isOfText}) = :isOfText
       ORDER BY requested_at DESC LIMIT 1 OFFSET :most
     ) RETURNING file`,
  );
  const selectFiles = database.prepare('SELECT file FROM voice_preview WHERE file IS NOT NULL');

  return {
    find(key) {
      const row = select.get({ ...key });
      return row && v.parse(stored, fromRow(row));
    },
    hasAny: (connectionId, excerptId) =>
      (excerptId === null ? selectAnyText.get(connectionId) : selectAny.get(connectionId, excerptId)) !== undefined,
    add: (key, requestedAt) => void insert.run({ ...key, requestedAt }),
    change(key, change) {
      const columns = toRow(change);
      const assignments = Object.keys(columns).map((column) => `${column} = :${column}`);
      database.prepare(`UPDATE voice_preview SET ${assignments.join(', ')} WHERE ${isKey}`).run({ ...columns, ...key });
    },
    remove: (key) => void remove.run({ ...key }),
    forget: (connectionId) => void removeAll.run(connectionId),
    features(connectionId) {
      const found = new Map<string, VoiceFeatures>();
      for (const row of selectFeatures.all(connectionId)) {
        const { voiceId, ...sound } = v.parse(measured, fromRow(row));
        found.set(voiceId, sound);
      }
      return found;
    },
    trim: (connectionId, of, most) =>
      removeOld
        .all({ connectionId, most, isOfText: of === 'text' ? 1 : 0 })
        .flatMap(({ file }) => (typeof file === 'string' ? [file] : [])),
    files: () => new Set(selectFiles.all().map(({ file }) => String(file))),
  };
}

import type { DatabaseSync } from 'node:sqlite';
import type { Voice, VoicePage } from '../../../shared/schemas/voice.ts';
import type { Clock } from '../clock.ts';
import type { StoredRow } from '../database/columns.ts';
import { transaction } from '../database/sqlite.ts';
import type { VoiceQuery } from '../voice-service/voices.ts';

/** The last complete catalogue of each connection, for offline use. */
export interface VoiceCache {
  /** Replaces the catalogue of a connection. `readAt` in milliseconds since 1970. */
  replace(connectionId: string, voices: readonly Voice[], readAt: number): void;
  /** Removes the catalogue after the connection's hosts changed: it belongs to another service. */
  forget(connectionId: string): void;
  /** Returns a page like the service; undefined without a cached catalogue. */
  findPage(connectionId: string, query: VoiceQuery): (VoicePage & { readonly readAt: number }) | undefined;
}

const toVoice = (row: StoredRow): Voice => ({
  id: String(row['id']),
  name: String(row['name']),
  language: String(row['language']),
  gender: String(row['gender']),
  category: String(row['category']),
});

/**
 * Filters like services do: `en` matches every English variant, case is ignored, `all` matches
 * everything.
 */
const matchesFilter = `connection_id = :connectionId
  AND (:category IN ('', 'all') OR lower(category) = lower(:category))
  AND (:gender IN ('', 'all') OR gender = :gender)
  AND (:language IN ('', 'all') OR lower(language) = lower(:language)
    OR substr(lower(language), 1, length(:language) + 1) = lower(:language) || '-')`;

export function createVoiceCache(database: DatabaseSync): VoiceCache {
  const drop = database.prepare('DELETE FROM voice_catalogue WHERE connection_id = ?');
  const insertCatalogue = database.prepare('INSERT INTO voice_catalogue (connection_id, fetched_at) VALUES (?, ?)');
  const insertVoice = database.prepare(
    `INSERT INTO catalogue_voice (connection_id, position, id, name, language, gender, category) VALUES (?, ?, ?, ?, ?, ?, ?)`,
  );
  const selectFetchTime = database.prepare('SELECT fetched_at FROM voice_catalogue WHERE connection_id = ?');
  const count = database.prepare(`SELECT count(*) AS total FROM catalogue_voice WHERE ${matchesFilter}`);
  const select = database.prepare(
    `SELECT id, name, language, gender, category FROM catalogue_voice WHERE ${matchesFilter}
     ORDER BY position LIMIT :limit OFFSET :offset`,
  );

  return {
    replace: (connectionId, voices, readAt) =>
      transaction(database, () => {
        drop.run(connectionId);
        insertCatalogue.run(connectionId, readAt);
        voices.forEach(({ id, name, language, gender, category }, position) =>
          insertVoice.run(connectionId, position, id, name, language, gender, category),
        );
      }),
    forget: (connectionId) => void drop.run(connectionId),
    findPage(connectionId, { page, limit, category = '', gender = '', language = '' }) {
      const catalogue = selectFetchTime.get(connectionId);
      if (!catalogue) return undefined;
      const filter = { connectionId, category, gender, language };
      return {
        page,
        limit,
        total: Number(count.get(filter)?.['total']),
        voices: select.all({ ...filter, limit, offset: page * limit }).map(toVoice),
        readAt: Number(catalogue['fetched_at']),
      };
    },
  };
}

/**
 * The user's favourite voices per connection. A voice that left the catalogue stays a favourite: it
 * may return.
 */
export interface FavouriteVoices {
  /** Ids in the order in which they were added. */
  list(connectionId: string): readonly string[];
  set(connectionId: string, voiceId: string, isFavourite: boolean): void;
}

export function createFavouriteVoices(database: DatabaseSync, clock: Pick<Clock, 'now'>): FavouriteVoices {
  const select = database.prepare(
    'SELECT voice_id FROM favourite_voice WHERE connection_id = ? ORDER BY created_at, voice_id',
  );
  const add = database.prepare(
    'INSERT INTO favourite_voice (connection_id, voice_id, created_at) VALUES (?, ?, ?) ON CONFLICT DO NOTHING',
  );
  const drop = database.prepare('DELETE FROM favourite_voice WHERE connection_id = ? AND voice_id = ?');
  return {
    list: (connectionId) => select.all(connectionId).map((row) => String(row['voice_id'])),
    set(connectionId, voiceId, isFavourite) {
      if (isFavourite) add.run(connectionId, voiceId, clock.now());
      else drop.run(connectionId, voiceId);
    },
  };
}

/** The user's notes on the voices of each connection. Kept like favourites. */
export interface VoiceNotes {
  /** By voice. */
  list(connectionId: string): Readonly<Record<string, string>>;
  /** A blank text removes the note. */
  set(connectionId: string, voiceId: string, text: string): void;
}

export function createVoiceNotes(database: DatabaseSync): VoiceNotes {
  const select = database.prepare('SELECT voice_id, text FROM voice_note WHERE connection_id = ?');
  const write = database.prepare(
    `INSERT INTO voice_note (connection_id, voice_id, text) VALUES (?, ?, ?)
     ON CONFLICT DO UPDATE SET text = excluded.text`,
  );
  const drop = database.prepare('DELETE FROM voice_note WHERE connection_id = ? AND voice_id = ?');
  return {
    list: (connectionId) =>
      Object.fromEntries(select.all(connectionId).map((row) => [String(row['voice_id']), String(row['text'])])),
    set(connectionId, voiceId, text) {
      if (text.trim() === '') drop.run(connectionId, voiceId);
      else write.run(connectionId, voiceId, text);
    },
  };
}

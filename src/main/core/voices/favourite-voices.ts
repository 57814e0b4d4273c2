import type { DatabaseSync } from 'node:sqlite';
import type { Clock } from '../clock.ts';

/** The voices that a person marked, by connection. A voice that left the catalogue stays marked: it may come back. */
export interface FavouriteVoices {
  /** Ids, in the order in which they were marked. */
  list(connectionId: string): readonly string[];
  set(connectionId: string, voiceId: string, isFavourite: boolean): void;
}

export function createFavouriteVoices(database: DatabaseSync, clock: Pick<Clock, 'now'>): FavouriteVoices {
  const select = database.prepare(
    'SELECT voice_id FROM favourite_voice WHERE connection_id = ? ORDER BY marked_at, voice_id',
  );
  const add = database.prepare(
    'INSERT INTO favourite_voice (connection_id, voice_id, marked_at) VALUES (?, ?, ?) ON CONFLICT DO NOTHING',
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

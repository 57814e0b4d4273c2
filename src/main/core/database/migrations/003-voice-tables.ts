/**
 * The copy of each connection's catalogue, in the service's order (`place`), and the voices that a person marked. Neither refers to
 * `connection`, because this computer stands in no row of it; what a connection that is deleted leaves behind goes with it.
 */
export const voiceTables = `
CREATE TABLE voice_copy (
  connection_id TEXT PRIMARY KEY,
  read_at INTEGER NOT NULL
) STRICT;

CREATE TABLE copied_voice (
  connection_id TEXT NOT NULL REFERENCES voice_copy (connection_id) ON DELETE CASCADE,
  place INTEGER NOT NULL,
  id TEXT NOT NULL,
  name TEXT NOT NULL,
  language TEXT NOT NULL,
  gender TEXT NOT NULL,
  category TEXT NOT NULL,
  PRIMARY KEY (connection_id, place)
) STRICT, WITHOUT ROWID;

CREATE TABLE favourite_voice (
  connection_id TEXT NOT NULL,
  voice_id TEXT NOT NULL,
  marked_at INTEGER NOT NULL,
  PRIMARY KEY (connection_id, voice_id)
) STRICT, WITHOUT ROWID;

CREATE TRIGGER connection_voices AFTER DELETE ON connection BEGIN
  DELETE FROM voice_copy WHERE connection_id = OLD.id;
  DELETE FROM favourite_voice WHERE connection_id = OLD.id;
END;
`;

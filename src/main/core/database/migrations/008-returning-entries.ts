/**
 * Entries that somebody wants back in history, by the ids of their jobs, in the order in which they come. All of an undo are written at
 * once, and each is deleted when it is shown: whatever ends Timbre in between, a start goes on.
 */
export const returningEntries = `
CREATE TABLE returning_entry (
  number INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE
) STRICT;

INSERT OR IGNORE INTO returning_entry (id)
SELECT value FROM removed_file, json_each(removed_file.jobs) WHERE wish = 'back';
`;

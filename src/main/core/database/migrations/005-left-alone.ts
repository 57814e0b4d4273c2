/**
 * Files that were in a folder before it was watched, apart from those about which there is something to tell: a first look finds fifty
 * thousand of them at once, and each costs as little as can be. They lie in the order in which they were found; `inode` alone is indexed,
 * because a file that is known by it has another path.
 */
export const leftAlone = `
CREATE TABLE left_alone (
  number INTEGER PRIMARY KEY,
  folder_id TEXT NOT NULL REFERENCES watch_folder (id) ON DELETE CASCADE,
  path TEXT NOT NULL,
  device TEXT NOT NULL,
  inode TEXT NOT NULL,
  size_bytes INTEGER NOT NULL,
  modified_ns TEXT NOT NULL,
  changed_ns TEXT NOT NULL,
  at INTEGER NOT NULL,
  is_there INTEGER NOT NULL,
  duration_seconds REAL,
  UNIQUE (folder_id, path)
) STRICT;

CREATE INDEX left_alone_inode ON left_alone (inode);

INSERT INTO left_alone (folder_id, path, device, inode, size_bytes, modified_ns, changed_ns, at, is_there, duration_seconds)
SELECT folder_id, path, device, inode, size_bytes, modified_ns, changed_ns, at, is_there, duration_seconds
FROM watched_file WHERE verdict = 'before' ORDER BY folder_id, change;

DELETE FROM watched_file WHERE verdict = 'before';
DROP INDEX watched_file_inode;
`;

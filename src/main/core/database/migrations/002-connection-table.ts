/** Connections that a person made. The id keys their token and their jobs and is never exported; the token stands elsewhere. */
export const connectionTable = `
CREATE TABLE connection (
  id TEXT PRIMARY KEY,
  document TEXT NOT NULL,
  created_at INTEGER NOT NULL
) STRICT;
`;

import { DatabaseSync } from 'node:sqlite';
import fc from 'fast-check';
import { it } from 'vitest';
import { matchOf } from './match-of.ts';
import { parseQuery } from './parse-query.ts';
import { createWordsWith } from './words-with.ts';

it('is understood by the index, whatever was written', () => {
  const database = new DatabaseSync(':memory:');
  database.exec(`CREATE VIRTUAL TABLE history_text USING fts5(name, voice, origin, facets, content = '', tokenize = 'ascii');
    CREATE VIRTUAL TABLE history_vocabulary USING fts5vocab(history_text, instance);
    INSERT INTO history_text (rowid, name, voice) VALUES (1, 'harbour harbours', 'anna')`);
  const select = database.prepare('SELECT rowid FROM history_text WHERE history_text MATCH ?');
  const wordsWith = createWordsWith(database);
  const piece = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 6 }),
    fc.constantFrom(
      '"',
      '-',
      ' ',
      'voice:',
      'from:',
      'tag:',
      'status:failed',
      'harb',
      'AND',
      'NEAR(',
      '*',
      '^',
      '\0',
      '東',
      '§',
    ),
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
      const { expression } = matchOf(parseQuery(pieces.join(''), 0), wordsWith);
      if (expression !== null) select.all(expression);
    }),
    { numRuns: 3000 },
  );
  // As long as a search may be.
  select.all(matchOf(parseQuery('a '.repeat(2000), 0), wordsWith).expression);
  select.all(matchOf(parseQuery('-b '.repeat(1300), 0), wordsWith).expression);
  select.all(matchOf(parseQuery('tag:c '.repeat(660), 0), wordsWith).expression);
  database.close();
});

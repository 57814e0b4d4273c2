/** Blocks of Unicode in which emoji and other pictures stand, and a few letters and signs more. */
const pictures = `'*[\u203c-\u2bff\u{1f000}-\u{1fbff}]*'`;
const told = ['source_path', 'audio_name', 'output_path', 'text', 'voice', 'connection_name', 'problem'];

/** Entries whose words are others since emoji are words, tags may be signs alone, and `en_GB` is a language as `en-GB` is. */
const others = `
  SELECT history_entry.number FROM history_entry JOIN job ON job.number = history_entry.job
  WHERE ${told.map((column) => `${column} GLOB ${pictures}`).join(' OR ')}
    OR text_in(voice, 'language') LIKE '%\\_%' ESCAPE '\\' OR text_in(settings, 'language') LIKE '%\\_%' ESCAPE '\\'
    OR EXISTS (SELECT 1 FROM history_tag WHERE history_tag.job = job.number AND (tag GLOB ${pictures} OR fold_words(tag) = ''))
    OR EXISTS (SELECT 1 FROM history_origin WHERE history_origin.job = job.number AND watch_folder GLOB ${pictures})`;

const columns = 'name, folder, text, voice, origin, problem, tags, facets';

/** Writes the words of these entries anew; all others have those that they had. */
export const emojiWords = `
CREATE TEMP TABLE other_words AS ${others};
DELETE FROM history_text WHERE rowid IN (SELECT number FROM temp.other_words);
INSERT INTO history_text (rowid, ${columns})
SELECT number, ${columns} FROM history_words WHERE number IN (SELECT number FROM temp.other_words) ORDER BY number;
DROP TABLE temp.other_words;
`;

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { joinPassages, removePassage, splitAt, wordsRange } from './edit-passages.ts';
import { joinMark, splitMark } from './passage-marks.ts';
import { splitText } from './split-text.ts';

const passagesOf = (text: string) => splitText(text, { language: 'en', maxLength: null });
const spoken = (text: string) => passagesOf(text).map((passage) => passage.text);

/** Joins passage number `k` and the next one. */
function joined(text: string, k: number): string {
  const [first, second] = passagesOf(text).slice(k, k + 2);
  if (!first || !second) throw new Error(`no passages ${k} and ${k + 1}`);
  return joinPassages(text, first, second);
}

const text = 'One gull. Two gulls.\n\nThree gulls, and a ferry.';

describe('splitting', () => {
  it('ends a passage at the place, between words or within one', () => {
    expect(spoken(splitAt(text, text.indexOf(' and')))).toEqual([
      'One gull.',
      'Two gulls.',
      'Three gulls,',
      'and a ferry.',
    ]);
    expect(spoken(splitAt(text, text.indexOf('and')))).toEqual(spoken(splitAt(text, text.indexOf(' and'))));
    expect(spoken(splitAt('Mississippi\n\nOhio', 5))).toEqual(['Missi', 'ssippi', 'Ohio']);
  });

  it('divides a short text, which is one passage by itself', () => {
    expect(spoken(splitAt('Good evening, all of you.', 13))).toEqual(['Good evening,', 'all of you.']);
  });

  it('reverts a join', () => {
    const one = joined(text, 0);
    expect(spoken(splitAt(one, one.indexOf('Two')))).toEqual(spoken(text));
  });

  it('at an end of a passage changes nothing that is spoken', () => {
    for (const at of [0, text.indexOf(' Two'), text.indexOf('Three'), text.length])
      expect(spoken(splitAt(text, at))).toEqual(spoken(text));
  });
});

describe('joining', () => {
  it('makes one passage of two sentences', () => {
    expect(spoken(joined(text, 0))).toEqual(['One gull. Two gulls.', 'Three gulls, and a ferry.']);
  });

  it('makes one passage of two paragraphs', () => {
    expect(spoken(joined(text, 1))).toEqual(['One gull.', 'Two gulls. Three gulls, and a ferry.']);
    expect(spoken(joined('# Title\r\n\r\n\r\nText.\n\nMore.', 0))).toEqual(['# Title Text.', 'More.']);
  });

  it('keeps what is between two paragraphs and is not spoken', () => {
    expect(joined('One gull.\n\n***\n\nTwo gulls.\n\nThree.', 0)).toBe(`One gull.${joinMark} *** Two gulls.\n\nThree.`);
  });

  it('reverts a split', () => {
    const cut = splitAt(text, text.indexOf('and'));
    expect(spoken(joined(cut, 2))).toEqual(spoken(text));
  });

  it('works in scripts without spaces', () => {
    const book = '今日は。明日は。\n\n終わり。';
    expect(spoken(joined(book, 0))).toEqual(['今日は。明日は。', '終わり。']);
  });

  it('joins three, one after the other', () => {
    expect(spoken(joined(joined(text, 0), 0))).toEqual(['One gull. Two gulls. Three gulls, and a ferry.']);
  });
});

describe('removing', () => {
  /** Removes the passage with these words. */
  const without = (book: string, words: string) => {
    const start = book.indexOf(words);
    return removePassage(book, { start, end: start + words.length });
  };

  it('leaves no blanks, and the break that parts more', () => {
    expect(without(text, 'One gull.')).toBe('Two gulls.\n\nThree gulls, and a ferry.');
    expect(without(text, 'Two gulls.')).toBe('One gull.\n\nThree gulls, and a ferry.');
    expect(without(text, 'Three gulls, and a ferry.')).toBe('One gull. Two gulls.');
    expect(without('One.\r\n\r\nTwo.\nThree.', 'Two.')).toBe('One.\r\n\r\nThree.');
    expect(without(`One${splitMark} gull. Two.`, 'gull.')).toBe(`One${splitMark} Two.`);
    expect(without('Anna: One. Two.\nBen: Three.', 'One.')).toBe('Anna: Two.\nBen: Three.');
    expect(without('\n One gull.\n\n', 'One gull.')).toBe('');
  });
});

it('neither loses a word', () => {
  const words = (value: string) =>
    spoken(value)
      .join('')
      .replace(/[^\p{L}\p{N}\p{Emoji_Presentation}]/gu, '');
  const paragraphs = fc.array(
    fc.array(fc.constantFrom('One gull.', 'Is it?', 'He said: “No.”', '3.5 km', 'Dr. Wu', '今日は。', '—', '🌊'), {
      minLength: 1,
      maxLength: 4,
    }),
    { minLength: 2, maxLength: 4 },
  );
  fc.assert(
    fc.property(paragraphs, fc.nat(), (parts, seed) => {
      const book = parts.map((sentences) => sentences.join(' ')).join('\n\n');
      const passages = passagesOf(book);
      const edits = [splitAt(book, seed % (book.length + 1))];
      const k = seed % passages.length;
      const [first, second] = [passages[k], passages[k + 1]];
      if (first && second) edits.push(joinPassages(book, first, second));
      for (const edited of edits) expect(words(edited)).toBe(words(book));
      const others = passages.filter((each) => each !== first).map((passage) => passage.text);
      if (first) expect(words(removePassage(book, first))).toBe(words(others.join('\n\n')));
    }),
  );
});

it('the words of a passage are without what is around them', () => {
  const [, second] = passagesOf(text);
  const { start, end } = wordsRange(text, second ?? { start: 0, end: 0 });
  expect(text.slice(start, end)).toBe('Two gulls.');
  expect(wordsRange('  ', { start: 0, end: 2 })).toEqual({ start: 2, end: 2 });
});

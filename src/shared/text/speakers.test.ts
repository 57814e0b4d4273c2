import { describe, expect, it } from 'vitest';
import { findSpeakerNames, isSpeakerName, labelledSpeakers, turnsOf } from './speakers.ts';
import { splitText } from './split-text.ts';

const turns = (text: string, ...speakers: readonly string[]) =>
  turnsOf(text, speakers).map(({ start, end, speaker }) => [speaker, text.slice(start, end).trim()]);
const passages = (text: string, ...speakers: readonly string[]) =>
  splitText(text, { language: 'en', maxLength: null, speakers }).map(({ text: words, ends, speaker }) => [
    ...[speaker, words, ends],
  ]);

describe('a line that begins with the name of a speaker', () => {
  it('is theirs without the name, up to the next blank line', () => {
    expect(turns('It was late.\n\nAnna: Are you\nthere?\n\nNobody was.', 'Anna')).toEqual([
      [null, 'It was late.'],
      ['Anna', 'Are you\nthere?'],
      [null, 'Nobody was.'],
    ]);
  });

  it('ends the line of another within one paragraph', () => {
    expect(passages('Anna: Hello. How are you?\nBen: Fine.\nAnna: Good.', 'Anna', 'Ben')).toEqual([
      ['Anna', 'Hello.', 'sentence'],
      ['Anna', 'How are you?', 'paragraph'],
      ['Ben', 'Fine.', 'paragraph'],
      ['Anna', 'Good.', 'paragraph'],
    ]);
  });

  it.each([
    ['ANNA: Hello.', 'Anna'],
    ['  Anna : Hello.', 'anna'],
    ['Anna\u00a0: Hello.', 'Anna'],
    ['Anna:\nHello.', 'Anna'],
    ['Anna: \r\n Hello.', 'Anna'],
    ['Dr. Anna  Meier: Hello.', 'Dr. Anna Meier'],
    ['Ame\u0301lie: Hello.', 'Amélie'],
    ['安娜：Hello.', '安娜'],
    ['\u200fAnna: Hello.', 'Anna'],
    ['\u200b  An\u200dna\u2069 :\u200f Hello.', 'Anna'],
    ['Anna: Hello.', '\u200fAnna\u200e'],
    ['\u200fAnna: Hello.', '\u2066Anna'],
  ])('is recognised in %j', (text, name) => {
    expect(turns(text, name)).toEqual([[name, 'Hello.']]);
  });

  it.each(['Note: Hello.', 'Anna said: Hello.', 'Hello, Anna: come.', 'Anna:Hello.', 'Annabel: Hello.', 'Anna Hello.'])(
    'is not recognised in %j',
    (text) => {
      expect(turns(text, 'Anna')).toEqual([[null, text]]);
    },
  );

  it('may be long, because only names have limits', () => {
    const line = `Anna: ${'Words. '.repeat(300_000)}`;
    expect(turns(`${line}\n${' '.repeat(1_000_000)}\nThe end.`, 'Anna').map(([speaker]) => speaker)).toEqual([
      'Anna',
      null,
    ]);
  });
});

it('a text of one short line is spoken as a whole by its speaker', () => {
  expect(passages('Anna: Hello. How are you?', 'Anna')).toEqual([['Anna', 'Hello. How are you?', 'paragraph']]);
});

it('a text without lines of speakers is split as if there were none', () => {
  const text = 'Note: One. Two.\n\nThree.';
  expect(passages(text, 'Anna')).toEqual(passages(text));
});

it('a name without words says nothing', () => {
  expect(passages('Anna:\n\nAnna: ', 'Anna')).toEqual([]);
});

it('characters that are not shown are spoken as before unless they belong to a name', () => {
  expect(passages('\u200fNote: \u200fOne.\nAnna: T\u200dwo\u200f.\u2063Three.', 'Anna')).toEqual([
    [undefined, '\u200fNote: \u200fOne.', 'paragraph'],
    ['Anna', 'T\u200dwo\u200f.', 'sentence'],
    ['Anna', 'Three.', 'paragraph'],
  ]);
});

it('speakers whose names begin lines are found, even without words, in order of appearance', () => {
  const text = 'It was late.\nBEN:\n\nAnna: Hello, Carl: come.\nBen: Hm.\n\nDora:';
  expect(labelledSpeakers(text, ['Anna', 'Ben', 'Carl', 'Dora'])).toEqual(['Ben', 'Anna', 'Dora']);
  expect(labelledSpeakers(text, [])).toEqual([]);
});

it('passages know where their words are, without the name', () => {
  const text = 'Anna: One. Two.\nThree.\n\nBen: Four.';
  for (const { start, end, text: words } of splitText(text, {
    ...{ language: 'en', maxLength: null },
    speakers: ['Anna', 'Ben'],
  }))
    expect(text.slice(start, end).trim()).toBe(words);
});

describe('names', () => {
  it('that begin two lines or more are found, in order of appearance', () => {
    const play = 'BEN: Who is there?\nAnna: Me.\nNote: once.\nBen: Ah.\n\nAnna: Yes.\nDr. Who: Hm.\nDr. Who: Hm.';
    expect(findSpeakerNames(play)).toEqual(['BEN', 'Anna', 'Dr. Who']);
    expect(findSpeakerNames('\u200fBEN: Who is there?\nBe\u2060n: Ah.')).toEqual(['BEN']);
  });

  it.each([
    '12:30 Uhr',
    'https://example.org',
    'and so he said: no',
    'He came, he saw: nothing',
    `${'A'.repeat(41)}: x`,
  ])('are not %j', (line) => {
    expect(findSpeakerNames(`${line}\n${line}`)).toEqual([]);
  });

  it('can have 40 characters, none of which ends them', () => {
    expect(['Anna', 'A'.repeat(40), 'Old man 2'].map(isSpeakerName)).toEqual([true, true, true]);
    expect(['', ' ', '\u200f \u200b', 'A'.repeat(41), 'A:', 'A\nB', '\ud800'].map(isSpeakerName)).toEqual(
      Array(7).fill(false),
    );
  });
});

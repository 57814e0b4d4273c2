import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { withoutSoundNotes } from './sound-notes.ts';

const said = (text: string, isOpen = false) => withoutSoundNotes(text, isOpen).replace(/\s+/g, ' ').trim();

describe('notes about sounds', () => {
  it.each([
    '[laughs]',
    '[DOOR SLAMS]',
    '[speaking\nSpanish]',
    '（笑い声）',
    '【音乐】',
    '(Laughter)',
    '(door slams in the distance)',
    '(Applause)\n(Music)',
    '♪',
    '♪ Happy birthday to you ♪',
    '♪ Happy birthday\nto you ♪',
    '♪ Happy birthday\n♪ to you',
    '♪ Happy ♪ birthday ♪',
    '♪~',
    '# Happy birthday to you #',
    'ANNA: [sighs]',
  ])('are left out of a subtitle: %s', (text) => {
    expect(said(text)).toBe('');
  });

  it.each([
    ['[laughs] Hello.', 'Hello.'],
    ['Hello [laughs] there.', 'Hello there.'],
    ['Stop it [laughs].', 'Stop it.'],
    ['(sighs) I know.', 'I know.'],
    ['I was scared. (Laughter) And then it went.', 'I was scared. And then it went.'],
    ['ANNA: (whispers) Come here.', 'ANNA: Come here.'],
    ['ANNA: [sighs]\nBen: What?', 'Ben: What?'],
    ['（太郎）こんにちは。', 'こんにちは。'],
    ['♪ La la ♪\nGood night.', 'Good night.'],
    ['[in Spanish] I know.', 'I know.'],
    ['♪\nGood night.\n♪', 'Good night.'],
    ['♪ La la\nGood night. (Music)', 'Good night.'],
  ])('are left out of what is said: %s', (text, words) => {
    expect(said(text)).toBe(words);
  });

  it.each([
    'He left (at five) and came back.',
    'He left (at five).',
    '(and his wife) were at home.',
    '(I wonder what she meant.)',
    '(1) Open it. (2) Close it.',
    'Call (555) now.',
    '[Where have you been?]',
    '[أين كنت يا أنا؟]',
    '[何をしているのですか？]',
    '[',
    'a] [b',
    'はーい♪ 行くよ♪',
    '楽しいね♪',
    '#1 of #2',
    'We are #1 #',
    ':)',
    '()',
  ])('are not what is said: %s', (text) => {
    expect(said(text)).toBe(text);
  });

  it('are not the end of the sentence of the subtitle before', () => {
    expect(said('(his brother)', true)).toBe('(his brother)');
    expect(said('(his brother)', false)).toBe('');
  });

  it('are all that is left out', () => {
    const piece = fc.constantFrom('[a]', '(B)', '♪', '#', ' ', '\n', 'One.', 'two', ':', '(', ']', '-');
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 20 }), fc.boolean(), (pieces, isOpen) => {
        const text = pieces.join('');
        const words = said(text, isOpen).split(/\W+/).join('');
        const rest = Array.from(text.replace(/\W+/g, ''));
        expect(Array.from(words).every((letter) => rest.splice(0, rest.indexOf(letter) + 1).length > 0)).toBe(true);
        if (!/[[(♪#]/.test(text)) expect(said(text, isOpen)).toBe(text.replace(/\s+/g, ' ').trim());
      }),
    );
  });
});

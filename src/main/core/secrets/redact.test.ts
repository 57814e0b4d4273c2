import { describe, expect, it } from 'vitest';
import { createRedactor } from './redact.ts';

const token = 'CANARY/7f+3a="q"&é';
const { redact, problemWithout } = createRedactor(token);
const hex = Buffer.from(token).toString('hex');

describe('a token', () => {
  it.each([
    ['as it is', token],
    ['in capitals', token.toUpperCase()],
    ['in an address', encodeURIComponent(token)],
    ['in an address, in small letters', encodeURIComponent(token).toLowerCase()],
    ['in JSON', JSON.stringify({ token })],
    ['in JSON with escaped slashes', JSON.stringify({ token }).replaceAll('/', '\\/')],
    ['in HTML', 'CANARY/7f+3a=&quot;q&quot;&amp;é'],
    ['in hexadecimal', hex],
  ])('is redacted %s', (_, text) => {
    expect(redact(`before ${text} after`)).toContain('•••');
    expect(redact(`before ${text} after`)).not.toMatch(/canary|7f/i);
    expect(redact(`before ${text} after`)).not.toContain(hex);
  });

  it.each(['', 'B', 'Be', 'Bearer '])('is redacted in base64 after %j', (before) => {
    const text = Buffer.from(`${before}${token} and so on`).toString('base64');
    const left = Buffer.from(redact(text).split('•••')[0] ?? '', 'base64').toString('latin1');
    expect(redact(text)).toContain('•••');
    expect(left).not.toContain('CA');
  });

  it('is redacted in the message and facts of a problem, and the rest is kept', () => {
    const facts = { host: `x/${token}`, status: 401 };
    expect(problemWithout({ code: 'auth/refused', facts, words: `No ${token}.` })).toEqual({
      code: 'auth/refused',
      facts: { host: 'x/•••', status: 401 },
      words: 'No •••.',
    });
    expect(problemWithout({ code: 'auth/refused' })).toEqual({ code: 'auth/refused' });
  });

  it('that is not set redacts nothing', () => {
    expect(createRedactor(null).redact('a text')).toBe('a text');
    expect(createRedactor('').redact('a text')).toBe('a text');
  });
});

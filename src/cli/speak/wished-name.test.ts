import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { endingFits, wishedName } from './wished-name.ts';

describe('the name that --out asks for', () => {
  it.each([
    ['/to/hello.wav', 'hello'],
    ['/to/Hello.WAV', 'Hello'],
    ['/to/hello', 'hello'],
    ['/to/version 1.2', 'version 1.2'],
    ['/to/hello.wav.mp3', 'hello.wav'],
    ['/to/{name }.wav', '{name }'],
  ])('of %s is %s, without the ending of a sound', (out, stem) => {
    expect(wishedName(out)).toEqual({ path: out, folder: '/to', stem, fields: [] });
  });

  it('is looked for in the current folder', () => {
    expect(wishedName('hello.wav')).toMatchObject({ path: join(process.cwd(), 'hello.wav'), folder: process.cwd() });
  });

  it('fits a sound of its ending, or of any where it has none', () => {
    expect(endingFits('/to/hello (2).wav', wishedName('/to/hello.WAV'))).toBe(true);
    expect(endingFits('/to/hello.ogg', wishedName('/to/hello.wav'))).toBe(false);
    expect(endingFits('/to/version 1.2.ogg', wishedName('/to/version 1.2'))).toBe(true);
  });

  it('tells of fields that would be filled in', () => {
    expect(wishedName('/to/{voice} {date}.wav').fields).toEqual(['{voice}', '{date}']);
  });
});

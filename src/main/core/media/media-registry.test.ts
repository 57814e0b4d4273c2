import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { createMediaRegistry } from './media-registry.ts';

const media = createMediaRegistry({ randomBytes });
const paths = ['/a.wav', `/${'long '.repeat(100)}.wav`, '/朝 🎙.wav', 'C:\\takes\\half \ud83c.wav'];

describe('the id of a file', () => {
  it.each(paths)('leads to its path, is always the same, and says nothing of it: %j', (path) => {
    const id = media.idOf(path);
    expect(media.idOf(path)).toBe(id);
    expect(media.pathOf(id)).toBe(path);
    expect(id).toMatch(/^[\w-]+$/);
    expect(Buffer.from(id, 'base64url').toString('latin1')).not.toContain('wav');
  });

  it('cannot be made up, changed, or taken from another run', () => {
    const id = media.idOf('/a.wav');
    for (const at of [0, 20, 40]) {
      const other = id[at] === 'A' ? 'B' : 'A';
      expect(media.pathOf(`${id.slice(0, at)}${other}${id.slice(at + 1)}`)).toBeUndefined();
    }
    expect(media.pathOf(Buffer.from('/etc/passwd').toString('base64url'))).toBeUndefined();
    expect(media.pathOf('')).toBeUndefined();
    expect(createMediaRegistry({ randomBytes }).pathOf(id)).toBeUndefined();
  });
});

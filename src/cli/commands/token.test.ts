import { PassThrough } from 'node:stream';
import { describe, expect, it, vi } from 'vitest';
import { readSecret } from './token.ts';

const { signal } = new AbortController();
const onReady = () => undefined;
const from = (text: string) => {
  const source = new PassThrough();
  source.end(text);
  return readSecret(source, { onReady, onInterrupt: () => undefined }, signal);
};
const terminal = () => Object.assign(new PassThrough(), { isTTY: true, setRawMode: vi.fn() });

describe('a token from stdin', () => {
  it.each([
    ['canary-17\n', 'canary-17'],
    ['  canary-17 \r\n', 'canary-17'],
    ['canary-17', 'canary-17'],
    // Whoever piped in two lines is told so: no token has a line break.
    ['canary-17\nanother\n', 'canary-17\nanother'],
    ['canary-17\n\n \n', 'canary-17'],
    ['', ''],
    ['\ncanary-17\n', 'canary-17'],
  ])('of %j is %j', async (text, token) => {
    expect(await from(text)).toBe(token);
  });

  it('is the line that arrived, although the input does not end: a pseudo-terminal of another program may be no terminal', async () => {
    const source = new PassThrough();
    const read = readSecret(source, { onReady, onInterrupt: () => undefined }, signal);
    source.write('canary-');
    source.write('17\n');
    expect(await read).toBe('canary-17');
  });

  it('is not echoed on a terminal, and can be corrected', async () => {
    const source = terminal();
    const read = readSecret(source, { onReady, onInterrupt: () => undefined }, signal);
    source.write('canary-18\u007f7\r');
    expect(await read).toBe('canary-17');
    expect(source.setRawMode.mock.calls).toEqual([[true], [false]]);
  });

  it('stops waiting after Ctrl-C', async () => {
    const source = terminal();
    const interrupted = new AbortController();
    const read = readSecret(
      source,
      { onReady, onInterrupt: () => interrupted.abort(new Error('stopped')) },
      interrupted.signal,
    );
    source.write('\u0003');
    await expect(read).rejects.toThrow('stopped');
  });
});

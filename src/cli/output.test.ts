import { describe, expect, it } from 'vitest';
import { createOutput } from './output.ts';

/** A screen on which both streams write, as a person sees it: lines, and how the last one was drawn. */
function screen(options: { json?: boolean; isTTY?: boolean; columns?: number } = {}) {
  let text = '';
  const stdout: string[] = [];
  const write = (part: string) => void (text += part);
  const output = createOutput(options.json ?? false, {
    stdout: {
      write(part) {
        stdout.push(part);
        write(part);
      },
    },
    stderr: { isTTY: options.isTTY ?? true, columns: options.columns ?? 40, write },
  });
  /** What stands there after every line was rubbed out that was to be. */
  const seen = () => text.split('\n').map((line) => line.split('\r\u001b[K').at(-1));
  return { ...output, seen, stdout, written: () => text };
}

describe('the status line', () => {
  it('stands below all that is said, and is written anew after it', () => {
    const { status, say, complain, seen } = screen();
    status('1 of 3 done');
    say('a.wav -> b.wav');
    complain('c.wav: empty');
    status('3 of 3 done');
    expect(seen()).toEqual(['a.wav -> b.wav', 'c.wav: empty', '3 of 3 done']);
    status(null);
    expect(seen()).toEqual(['a.wav -> b.wav', 'c.wav: empty', '']);
  });

  it('is cut where it would wrap', () => {
    const { status, seen } = screen({ columns: 10 });
    status('0123456789abc');
    expect(seen()).toEqual(['012345678']);
  });

  it('is not written again while it stays the same', () => {
    const { status, written } = screen();
    status('1 of 3 done');
    const before = written();
    status('1 of 3 done');
    expect(written()).toBe(before);
  });

  it.each([
    ['without a terminal', { isTTY: false }],
    ['for a program', { json: true }],
  ])('is not there %s', (_name, options) => {
    const { status, say, event, hasStatus, written, stdout } = screen(options);
    status('1 of 3 done');
    say('a line');
    event({ event: 'job' });
    status(null);
    expect(hasStatus).toBe(false);
    expect(written()).toBe(stdout.join(''));
    expect(stdout).toHaveLength(1);
  });
});

import { describe, expect, it } from 'vitest';
import { columnsOf, createOutput, cutColumns, padColumns, printable, printableJson, wrapColumns } from './output.ts';

describe('printable', () => {
  const acting = ['\u0000', '\u0007', '\b', '\u001b', '\u007f', '\u0080', '\u009b', '\u009f', '\u061c'];
  const turning = ['\u200e', '\u200f', '\u202a', '\u202e', '\u2066', '\u2069'];

  describe('a text that is printed', () => {
    it('contains no control characters and stays on one line', () => {
      expect(printable(`a${[...acting, ...turning].join('')}b`)).toBe(`a${'\ufffd'.repeat(15)}b`);
      expect(printable('one\r\ntwo\tthree')).toBe('one two three');
      expect(printable('Grüße, 東京 👩‍👩‍👧')).toBe('Grüße, 東京 👩‍👩‍👧');
    });

    it('is escaped in JSON, and a program reads it unchanged', () => {
      const text = [...acting, ...turning].join('x');
      const json = printableJson({ text });
      expect(json).toMatch(/^[\x20-\x7e]+$/);
      expect(JSON.parse(json)).toEqual({ text });
    });
  });

  describe('columns', () => {
    it.each([
      ['abc', 3],
      ['東京', 4],
      ['e\u0301', 1],
      ['👩‍👩‍👧', 2],
      ['🇩🇪', 2],
      ['❤\ufe0f', 2],
      ['ﾊﾝｶｸ', 4],
    ])('counts %s as a terminal does', (text, columns) => expect(columnsOf(text)).toBe(columns));

    it('never split a grapheme', () => {
      expect(cutColumns('東京x', 3)).toBe('東');
      expect(cutColumns('a👩‍👩‍👧b', 3)).toBe('a👩‍👩‍👧');
    });

    it('are padded to the same width in every script', () => {
      expect(columnsOf(padColumns('東京', 6))).toBe(6);
      expect(padColumns('too long', 3)).toBe('too long');
    });

    it('limit every line of a paragraph without blanks, whose marks stay behind their character', () => {
      expect(wrapColumns('録音「再生」、またはデータ。', 10)).toEqual(['録音「再', '生」、また', 'はデータ。']);
      expect(wrapColumns('使用 -，或不提供', 8)).toEqual(['使用 -，', '或不提供']);
    });

    it('limit every line of a wrapped paragraph', () => {
      const lines = wrapColumns('one two three four', 9, 2);
      expect(lines).toEqual(['one two', '  three', '  four']);
    });
  });
});

describe('output', () => {
  /** A terminal that shows both streams as the user sees them. */
  function screen(
    options: { json?: boolean; quiet?: boolean; isTTY?: boolean; columns?: number; hasColors?: boolean } = {},
  ) {
    let text = '';
    const stdout: string[] = [];
    const write = (part: string) => void (text += part);
    const output = createOutput(options, {
      stdout: {
        hasColors: () => options.hasColors ?? false,
        write(part) {
          stdout.push(part);
          write(part);
        },
      },
      stderr: { isTTY: options.isTTY ?? true, columns: options.columns ?? 40, write },
    });
    /** The lines after all erasures. */
    const seen = () => text.split('\n').map((line) => line.split('\r\u001b[K').at(-1));
    return { ...output, seen, stdout, written: () => text };
  }

  describe('the status line', () => {
    it('is redrawn below every printed line', () => {
      const { status, print, error, seen } = screen();
      status('1 of 3 done');
      print('a.wav -> b.wav');
      error('c.wav: empty');
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

    it('is cut by columns, so that a name in Chinese does not wrap it', () => {
      const { status, seen } = screen({ columns: 10 });
      status('東京の朝 03.wav');
      expect(seen()).toEqual(['東京の朝 ']);
    });

    it('is not redrawn if it has not changed', () => {
      const { status, written } = screen();
      status('1 of 3 done');
      const before = written();
      status('1 of 3 done');
      expect(written()).toBe(before);
    });

    it.each([
      ['without a terminal', { isTTY: false }],
      ['for a program', { json: true }],
    ])('is not shown %s', (_name, options) => {
      const { status, print, event, hasStatus, written, stdout } = screen(options);
      status('1 of 3 done');
      print('a line');
      event({ event: 'job' });
      status(null);
      expect(hasStatus).toBe(false);
      expect(written()).toBe(stdout.join(''));
      expect(stdout).toHaveLength(1);
    });
  });

  describe('a line', () => {
    const hostile = 'a\u001b]0;title\u0007b\u202ec\u009b2Jd\ne';

    it('contains no control characters, whichever way it is printed', () => {
      const { print, report, info, error, status, written } = screen();
      for (const write of [print, report, info, error, status]) write(hostile);
      expect(written().replaceAll('\r\u001b[K', '').replaceAll('\n', '')).not.toMatch(
        // eslint-disable-next-line no-control-regex -- these are meant
        /[\u0000-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/,
      );
    });

    it('is escaped for a program', () => {
      const { event, written } = screen({ json: true });
      event({ name: hostile });
      expect(written()).toMatch(/^[\x20-\x7e]+\n$/);
      expect(JSON.parse(written())).toEqual({ name: hostile });
    });

    it('is coloured only if the stream supports colours', () => {
      const plain = screen();
      plain.print('good', 'good');
      expect(plain.written()).toBe('good\n');
      const coloured = screen({ hasColors: true });
      coloured.print('good', 'good');
      expect(coloured.written()).toBe('\u001b[32mgood\u001b[0m\n');
    });

    it('about progress is silent with --quiet; requested output and errors are not', () => {
      const { print, report, info, error, status, written } = screen({ quiet: true });
      report('a -> b');
      info('more');
      status('1 of 3');
      print('voice');
      error('bad');
      expect(written()).toBe('voice\nbad\n');
    });
  });
});

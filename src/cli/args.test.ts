import { describe, expect, it } from 'vitest';
import { de } from '../shared/messages/de.ts';
import { en } from '../shared/messages/en.ts';
import { commandNames, entryOf, flagsEverywhere, flagsOf, isCommandName, shells, type Flag } from './command-table.ts';
import { completionOf } from './completion.ts';
import { helpLines, helpOf, manPage } from './help.ts';
import { parseLine, scanLine } from './args.ts';
import { columnsOf } from './output.ts';

const read = (line: string) => parseLine(scanLine(line.split(' ')), en);
const convert = (flags: Readonly<Record<string, string | boolean>>) => ({
  kind: 'command',
  name: 'convert',
  verb: '',
  words: ['a.wav'],
  flags,
});

describe('the table of commands', () => {
  const all = [...flagsEverywhere, ...commandNames.flatMap((name) => flagsOf(entryOf(name)))];

  it('has each flag with a value everywhere, or nowhere: a line is taken apart before its command is known', () => {
    const kinds = new Map<string, string>();
    for (const { name, short, value } of all) {
      const kind = `${short ?? ''} ${String(value === undefined)}`;
      expect([name, kinds.get(name) ?? kind]).toEqual([name, kind]);
      kinds.set(name, kind);
    }
  });

  it('has each short flag once', () => {
    const shorts = new Map(all.flatMap(({ name, short }: Flag) => (short === undefined ? [] : [[short, name]])));
    for (const { name, short } of all) if (short !== undefined) expect(shorts.get(short)).toBe(name);
  });
});

describe('a line', () => {
  it.each([
    'convert a.wav --voice x --out d --json',
    '--json --voice=x convert a.wav -o d',
    '--out d convert --json a.wav --voice x',
    '-od --json convert --voice x a.wav',
  ])('"%s" is read the same, wherever its flags stand', (line) =>
    expect(read(line)).toEqual(convert({ voice: 'x', out: 'd', json: true })),
  );

  it('takes a number below 0 for a value, and a flag for none', () => {
    expect(read('convert a.wav --pitch -1')).toEqual(convert({ pitch: '-1' }));
    expect(() => read('convert a.wav --pitch --json')).toThrow('--pitch needs a value: --pitch N.');
    expect(() => read('convert a.wav --voice')).toThrow('--voice needs a value: --voice ID.');
    expect(() => read('convert a.wav --json=1')).toThrow('--json takes no value.');
  });

  it('switches off with --no- what is on, and nothing that takes a value', () => {
    expect(read('convert a.wav --no-auto-f0')).toEqual(convert({ 'auto-f0': false }));
    expect(() => read('convert a.wav --no-pitch')).toThrow('There is no --no-pitch here.');
  });

  it('takes what stands behind -- for words', () =>
    expect(read('convert -- --json')).toEqual({ ...convert({}), words: ['--json'] }));

  it('means the list where a command that has one is named alone', () =>
    expect(read('voices --limit 3')).toMatchObject({ verb: 'list', words: [], flags: { limit: '3' } }));

  it('refuses a flag of another form of the same command, which would be passed over in silence', () =>
    expect(() => read('history export a.zip --limit 3')).toThrow('There is no --limit here.'));

  it('is told the forms of a command below each other', () =>
    expect(() => read('connections frob')).toThrow(
      /^Write one of:\n {2}timbre connections list\n {2}timbre connections show/,
    ));
});

describe.each([en, de])('help in $language', (messages) => {
  it('is no wider than 80 columns', () => {
    const lines = [...helpLines(messages), ...commandNames.flatMap((name) => helpOf(name, messages))];
    expect(lines.filter((line) => columnsOf(line) > 80)).toEqual([]);
  });

  it('of all commands names each', () => {
    const text = helpLines(messages).join('\n');
    for (const name of commandNames) expect(text).toContain(`timbre ${name}`);
  });

  it('stands in the man page too, of which no line is taken for a command of roff', () => {
    const wrong = manPage(messages, '1.0.0').filter((line) => /^[.'](?!(TH|SH|SS|TP|PP|br)\b)/.test(line));
    expect(wrong).toEqual([]);
  });

  it.each(shells)('is in the completion for %s, with every command', (shell) => {
    const script = completionOf(shell, messages);
    for (const name of commandNames) expect(script).toContain(name);
  });
});

it('no name of every object is a command', () => {
  expect(isCommandName('constructor')).toBe(false);
  expect(() => read('constructor')).toThrow('There is no command "constructor".');
});

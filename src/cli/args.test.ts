import { describe, expect, it } from 'vitest';
import { loadCliMessages } from '../shared/messages/cli.ts';
import { commandNames, entryOf, globalFlags, flagsOf, isCommandName, shells, type Flag } from './command-table.ts';
import { completionOf } from './completion.ts';
import { helpLines, helpOf, manPage } from './help.ts';
import { parseLine, scanLine } from './args.ts';
import { columnsOf } from './output.ts';

const en = await loadCliMessages('en');

const de = await loadCliMessages('de');

const read = (line: string) => parseLine(scanLine(line.split(' ')), en);
const convert = (flags: Readonly<Record<string, string | boolean>>) => ({
  kind: 'command',
  name: 'convert',
  verb: '',
  args: ['a.wav'],
  flags,
});

describe('the table of commands', () => {
  const all = [...globalFlags, ...commandNames.flatMap((name) => flagsOf(entryOf(name)))];

  it('has each flag with a value everywhere, or nowhere, since a line is split before its command is known', () => {
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
  ])('"%s" is parsed the same wherever its flags are', (line) =>
    expect(read(line)).toEqual(convert({ voice: 'x', out: 'd', json: true })),
  );

  it('leaves entries out of a search by a filter with a minus, as the window does', () => {
    const search = (...args: readonly string[]) => ({
      kind: 'command',
      name: 'history',
      verb: 'search',
      args,
      flags: {},
    });
    expect(read('history search harbour -status:failed')).toEqual(search('harbour', '-status:failed'));
    expect(read('history search -voice:low')).toEqual(search('-voice:low'));
    expect(read('history search -- -tag:x')).toEqual(search('-tag:x'));
    expect(read('history export a.zip --search -is:favourite')).toMatchObject({
      args: ['a.zip'],
      flags: { search: '-is:favourite' },
    });
    expect(() => read('history search -status')).toThrow('Unknown option -s.');
    expect(() => read('history search -word')).toThrow('Unknown option -w. If it is not an option, put -- before it.');
  });

  it('accepts a negative number as a value, but not a flag', () => {
    expect(read('convert a.wav --pitch -1')).toEqual(convert({ pitch: '-1' }));
    expect(() => read('convert a.wav --pitch --json')).toThrow('--pitch needs a value: --pitch N.');
    expect(() => read('convert a.wav --voice')).toThrow('--voice needs a value: --voice ID.');
    expect(() => read('convert a.wav --json=1')).toThrow('--json doesn’t take a value.');
  });

  it('accepts --no- only for switches that are on by default', () => {
    expect(read('convert a.wav --no-auto-f0')).toEqual(convert({ 'auto-f0': false }));
    expect(() => read('convert a.wav --no-pitch')).toThrow('Unknown option --no-pitch.');
  });

  it('treats everything after -- as arguments', () =>
    expect(read('convert -- --json')).toEqual({ ...convert({}), args: ['--json'] }));

  it('uses the list form if a command that has one is given alone', () =>
    expect(read('voices --limit 3')).toMatchObject({ verb: 'list', args: [], flags: { limit: '3' } }));

  it('rejects a flag of another form of the same command, which would be silently ignored', () =>
    expect(() => read('history export a.zip --limit 3')).toThrow('Unknown option --limit.'));

  it('lists the forms of a command one per line', () =>
    expect(() => read('connections frob')).toThrow(
      /^Usage:\n {2}timbre connections list\n {2}timbre connections show/,
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

  it('is in the man page too, where no line is mistaken for a roff request', () => {
    const wrong = manPage(messages, '1.0.0').filter((line) => /^[.'](?!(TH|SH|SS|TP|PP|br)\b)/.test(line));
    expect(wrong).toEqual([]);
  });

  it.each(shells)('is in the completion for %s, with every command', (shell) => {
    const script = completionOf(shell, messages);
    for (const name of commandNames) expect(script).toContain(name);
  });
});

it('does not take properties of Object.prototype for commands', () => {
  expect(isCommandName('constructor')).toBe(false);
  expect(() => read('constructor')).toThrow('There is no command "constructor".');
});

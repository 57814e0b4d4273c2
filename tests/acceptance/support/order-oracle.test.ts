import { describe, expect, it } from 'vitest';
import { checkOrder } from './order-oracle.ts';
import { parseTrace } from './parse-trace.ts';

const out = '/tmp/orc/out';
const part = `${out}/.timbre-1.part`;
const final = `${out}/a.wav`;
const check = (lines: readonly string[]) => checkOrder(lines.join('\n'), { outputFolder: out });

const openPart = `7 openat(AT_FDCWD</tmp/orc>, "${part}", O_WRONLY|O_CREAT|O_TRUNC|O_CLOEXEC, 0666) = 18<${part}>`;
const syncPart = `8 fsync(18<${part}>)           = 0`;
const close = `7 close(18<${part}>) = 0`;
const link = `7 link("${part}", "${final}") = 0`;
const unlink = `8 unlink("${part}") = 0`;
const openFolder = `7 openat(AT_FDCWD</tmp/orc>, "${out}", O_RDONLY|O_CLOEXEC) = 18<${out}>`;
const syncFolder = `8 fsync(18<${out}>)           = 0`;
const good = [openPart, syncPart, close, link, unlink, openFolder, syncFolder];
const without = (...lines: readonly string[]) => good.filter((line) => !lines.includes(line));

/** As strace 6.1 wrote it of two publishes at once under Node 24, without the files of Node itself. */
const recorded = [
  '19683 openat(AT_FDCWD</tmp/orc>, "/tmp/orc/out/.timbre-1.part", O_WRONLY|O_CREAT|O_TRUNC|O_CLOEXEC, 0666) = 18</tmp/orc/out/.timbre-1.part>',
  '19684 openat(AT_FDCWD</tmp/orc>, "/tmp/orc/out/.timbre-2.part", O_WRONLY|O_CREAT|O_TRUNC|O_CLOEXEC, 0666) = 19</tmp/orc/out/.timbre-2.part>',
  '19683 fsync(18</tmp/orc/out/.timbre-1.part> <unfinished ...>',
  '19684 fsync(19</tmp/orc/out/.timbre-2.part> <unfinished ...>',
  '19683 <... fsync resumed>)              = 0',
  '19684 <... fsync resumed>)              = 0',
  '19684 close(18</tmp/orc/out/.timbre-1.part>) = 0',
  '19685 close(19</tmp/orc/out/.timbre-2.part>) = 0',
  '19683 link("/tmp/orc/out/.timbre-1.part", "/tmp/orc/out/\\303\\244 1.wav") = 0',
  '19686 link("/tmp/orc/out/.timbre-2.part", "/tmp/orc/out/\\303\\244 2.wav") = 0',
  '19684 unlink("/tmp/orc/out/.timbre-1.part") = 0',
  '19684 unlink("/tmp/orc/out/.timbre-2.part") = 0',
  '19683 openat(AT_FDCWD</tmp/orc>, "/tmp/orc/out", O_RDONLY|O_CLOEXEC) = 18</tmp/orc/out>',
  '19686 openat(AT_FDCWD</tmp/orc>, "/tmp/orc/out", O_RDONLY|O_CLOEXEC) = 19</tmp/orc/out>',
  '19686 fsync(18</tmp/orc/out>)           = 0',
  '19683 fsync(19</tmp/orc/out>)           = 0',
];

describe('a publish that survives a power cut', () => {
  it('syncs the file, links the name, syncs the folder', () => {
    expect(check(good)).toEqual({ publishes: 1, violations: [], unfinished: [] });
  });

  it('is accepted with two threads whose calls overlap', () => {
    expect(check(recorded)).toEqual({ publishes: 2, violations: [], unfinished: [] });
  });

  it('may try another name after one that is taken', () => {
    const taken = `7 link("${part}", "${out}/b.wav") = -1 EEXIST (File exists)`;
    expect(check([openPart, syncPart, taken, ...good.slice(3)])).toMatchObject({ publishes: 1, violations: [] });
  });

  it('may rename over an empty file of its own, or if the system refuses to replace', () => {
    const placeholder = `7 openat(AT_FDCWD</>, "${final}", O_WRONLY|O_CREAT|O_EXCL|O_CLOEXEC, 0666) = 19<${final}>`;
    const rename = `7 rename("${part}", "${final}") = 0`;
    expect(check([openPart, syncPart, placeholder, rename, syncFolder]).violations).toEqual([]);
    const careful = `7 renameat2(AT_FDCWD<${out}>, ".timbre-1.part", AT_FDCWD<${out}>, "a.wav", RENAME_NOREPLACE) = 0`;
    expect(check([openPart, syncPart, careful, syncFolder])).toEqual({ publishes: 1, violations: [], unfinished: [] });
  });

  it('needs no sync for a name that it removed again', () => {
    const placeholder = `7 openat(AT_FDCWD</>, "${final}", O_WRONLY|O_CREAT|O_EXCL|O_CLOEXEC, 0666) = 19<${final}>`;
    const back = `7 unlink("${final}") = 0`;
    expect(check([openPart, syncPart, link, back]).violations).toEqual([]);
    expect(check([placeholder, back]).violations).toEqual([]);
  });

  it('does not concern other files or another temporary name', () => {
    const elsewhere = '7 rename("/tmp/orc/a.tmp", "/tmp/orc/settings.json") = 0';
    const temporary = `7 link("${part}", "${out}/.timbre-2.part") = 0`;
    expect(check([elsewhere, temporary])).toEqual({ publishes: 0, violations: [], unfinished: [] });
  });
});

describe('a violation is', () => {
  it.each([
    ['no fsync of the file', without(syncPart)],
    ['an fsync that failed', [openPart, `8 fsync(18<${part}>) = -1 EIO (Input/output error)`, ...good.slice(2)]],
    [
      'an fsync that ends after the name was given',
      [openPart, `8 fsync(18<${part}> <unfinished ...>`, link, '8 <... fsync resumed>)              = 0', syncFolder],
    ],
    ['writing again after the fsync', [openPart, syncPart, openPart, link, syncFolder]],
    [
      'an fsync of the same name before the file was made anew',
      [openPart, syncPart, unlink, openPart, link, syncFolder],
    ],
  ])('%s', (_, lines) => {
    expect(check(lines).violations).toEqual([
      expect.stringContaining(`${final} was given to ${part} before its fsync`),
    ]);
  });

  it.each([
    ['no fsync of the folder', without(syncFolder)],
    ['an fsync of the folder before the name', [openPart, syncPart, syncFolder, link]],
    [
      'an fsync of the folder that began before the name was given',
      [openPart, syncPart, `8 fsync(19<${out}> <unfinished ...>`, link, '8 <... fsync resumed>)              = 0'],
    ],
    ['an fsync of another folder', [...without(syncFolder), '8 fsync(18</tmp/orc>) = 0']],
    ['an fdatasync, which need not write names', [...without(syncFolder), `8 fdatasync(18<${out}>) = 0`]],
  ])('%s', (_, lines) => {
    expect(check(lines).violations).toEqual([
      expect.stringContaining(`the folder of ${final} was not synced after it`),
    ]);
  });

  it('a rename that could replace a file', () => {
    const { violations } = check([openPart, syncPart, `7 rename("${part}", "${final}") = 0`, syncFolder]);
    expect(violations).toEqual([expect.stringContaining("somebody's file")]);
  });

  it('writing under the final name, and an empty file left behind', () => {
    const inPlace = `7 openat(AT_FDCWD</>, "${final}", O_WRONLY|O_CREAT|O_TRUNC, 0666) = 19<${final}>`;
    expect(check([inPlace]).violations).toEqual([expect.stringContaining('under its final name')]);
    const placeholder = `7 openat(AT_FDCWD</>, "${final}", O_WRONLY|O_CREAT|O_EXCL, 0666) = 19<${final}>`;
    expect(check([placeholder]).violations).toEqual([expect.stringContaining('left as an empty file')]);
  });
});

describe('a kill', () => {
  it('between the link and the sync of the folder is left to the next start', () => {
    const { violations, unfinished } = check([...without(syncFolder), '7 +++ killed by SIGKILL +++']);
    expect([violations, unfinished.length]).toEqual([[], 1]);
  });

  it('during the link leaves it open whether the name exists', () => {
    const cut = `7 link("${part}", "${final}" <unfinished ...>`;
    for (const lines of [[cut], [cut, '7 <... link resumed>) = ?']]) {
      const report = check([openPart, syncPart, ...lines, '7 +++ killed by SIGKILL +++']);
      expect(report).toEqual({ publishes: 0, violations: [], unfinished: [expect.stringContaining('cut off')] });
    }
  });

  it('does not excuse a publish before the fsync', () => {
    expect(check([openPart, link, '7 +++ killed by SIGKILL +++']).violations).toHaveLength(1);
  });
});

describe('a trace', () => {
  it('may contain threads in brackets, and the halves of interrupted calls are joined', () => {
    const { calls } = parseTrace(
      [
        '[pid 12] link("/a", "/b" <unfinished ...>',
        '[pid 13] close(4</x>) = 0',
        '[pid 12] <... link resumed>) = 0',
      ].join('\n'),
    );
    expect(calls).toEqual([
      { name: 'link', args: '"/a", "/b"', begin: 1, end: 3, succeeded: true },
      { name: 'close', args: '4</x>', begin: 2, end: 2, succeeded: true },
    ]);
  });

  it('that ends a call without a start is rejected, because lines are missing', () => {
    expect(() => parseTrace('7 <... link resumed>) = 0')).toThrow('did not begin');
  });

  it('may name files in quotes, line ends and angle brackets', () => {
    const odd = `7 link("${part}", "${out}/a \\"b\\"\\n\\76.wav") = 0`;
    const { violations } = check([openPart, syncPart, odd]);
    expect(violations).toEqual([expect.stringContaining(`${out}/a "b"\n>.wav`)]);
  });
});

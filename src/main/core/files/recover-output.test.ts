import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { discardTemporary } from './publish.ts';
import { calls, canDisturb, publishInChild, type Disturbance } from './disturbed-publish.fixture.ts';
import { openOutput, reopenOutput } from './pending-output.ts';
import { recoverOutput, type JournalledOutput } from './recover-output.ts';

let root: string;
let folder: string;
let temporary: string;
let final: string;
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'timbre-recover-'));
  folder = join(root, 'out');
  await mkdir(folder);
  temporary = join(folder, '.timbre-a.part');
  final = join(folder, 'out.wav');
});
afterEach(() => rm(root, { recursive: true }));

const publishing = (journal: string) => ({ folder, jobId: 'a', text: 'sound', journal: join(root, journal) });
const disturbed = (disturbance: Disturbance) => publishInChild(publishing('journal'), disturbance);
const taken = (taking: JournalledOutput | undefined): JournalledOutput =>
  taking ?? expect.unreachable('nothing was taken');

const kill = (kind: keyof typeof calls, ...path: readonly string[]): Disturbance => ({
  inject: [`${calls[kind]}:signal=KILL`],
  path,
});
const withoutLinks = ({ inject, path = [] }: Disturbance): Disturbance => ({
  inject: [`${calls.link}:error=EPERM`, ...inject],
  path: [...path, final],
});

/** Publishes what recovery left, as the job would. */
async function publishAfterAll({ jobId, finished }: JournalledOutput): Promise<string | undefined> {
  const left = await reopenOutput(folder, jobId, finished);
  return left?.publish({
    pathFor: (attempt) => join(folder, attempt === 1 ? 'out.wav' : `out (${attempt}).wav`),
    onReserve: () => undefined,
  });
}

/** Recovers, continues from there, and expects exactly one output and nothing else. */
async function recoverAndFinish(journalled: JournalledOutput): Promise<string> {
  const outcome = await recoverOutput(journalled);
  expect(await readdir(folder)).toEqual(outcome === 'published' ? ['out.wav'] : ['.timbre-a.part']);
  expect(await recoverOutput(journalled)).toBe(outcome);
  if (outcome === 'missing') expect(await publishAfterAll(journalled)).toBe(final);
  expect(await readdir(folder)).toEqual(['out.wav']);
  expect(await readFile(final, 'utf8')).toBe('sound');
  return outcome;
}

describe.skipIf(!canDisturb)('a process killed while it publishes (needs strace)', () => {
  it.each([
    ['while it writes', () => kill('write', temporary)],
    ['before the file is safe', () => kill('sync', temporary)],
  ])('%s leaves a temporary file without a final name, which recovery removes', async (_, disturbance) => {
    const { taking, done } = disturbed(disturbance());
    expect({ taking, done }).toEqual({ taking: undefined, done: undefined });
    expect(await readdir(folder)).toEqual(['.timbre-a.part']);
    await discardTemporary(folder, 'a');
    expect(await readdir(folder)).toEqual([]);
  });

  it.each([
    ['before the link', () => kill('link', temporary), 'missing', ['.timbre-a.part']],
    ['after the link', () => kill('unlink', temporary), 'published', ['.timbre-a.part', 'out.wav']],
    ['before the name is safe', () => kill('sync', folder), 'published', ['out.wav']],
    ['before the placeholder', () => withoutLinks(kill('open', final)), 'missing', ['.timbre-a.part']],
    ['after the placeholder', () => withoutLinks(kill('rename', temporary)), 'missing', ['.timbre-a.part', 'out.wav']],
    ['after the rename', () => withoutLinks(kill('sync', folder)), 'published', ['out.wav']],
  ] as const)('%s has exactly one output in the end', async (_, disturbance, outcome, left) => {
    const { taking, done } = disturbed(disturbance());
    expect(done).toBeUndefined();
    expect((await readdir(folder)).sort()).toEqual(left);
    expect(await recoverAndFinish(taken(taking))).toBe(outcome);
  });

  it.each([
    ['before the link', () => kill('link', temporary)],
    ['before the placeholder', () => withoutLinks(kill('open', final))],
  ])('%s neither adopts nor changes a foreign file of equal content that arrived later', async (_, disturbance) => {
    const { taking } = disturbed(disturbance());
    await writeFile(final, 'sound');
    expect(await recoverOutput(taken(taking))).toBe('missing');
    expect(await publishAfterAll(taken(taking))).toBe(join(folder, 'out (2).wav'));
    expect((await readdir(folder)).sort()).toEqual(['out (2).wav', 'out.wav']);
  });

  it('after the placeholder leaves it alone if another program wrote into it', async () => {
    const { taking } = disturbed(withoutLinks(kill('rename', temporary)));
    await writeFile(final, 'theirs');
    expect(await recoverOutput(taken(taking))).toBe('missing');
    expect(await readFile(final, 'utf8')).toBe('theirs');
    expect((await readdir(folder)).sort()).toEqual(['.timbre-a.part', 'out.wav']);
  });

  it('after the placeholder uses the next name if a foreign file has the first', async () => {
    await writeFile(final, 'alien');
    const { taking } = disturbed(withoutLinks(kill('rename', temporary)));
    expect(taken(taking).path).toBe(join(folder, 'out (2).wav'));
    expect(await recoverOutput(taken(taking))).toBe('missing');
    expect(await readFile(final, 'utf8')).toBe('alien');
    expect((await readdir(folder)).sort()).toEqual(['.timbre-a.part', 'out.wav']);
  });
});

describe('recovery', () => {
  async function journalledIn(how: 'link' | 'placeholder'): Promise<JournalledOutput> {
    const output = await openOutput(folder, 'a');
    await output.write(Buffer.from('sound'));
    return { folder, jobId: 'a', path: final, method: how, finished: await output.finish() };
  }

  it.each(['link', 'placeholder'] as const)(
    'accepts a file of equal content once the temporary file is gone (%s)',
    async (how) => {
      const journalled = await journalledIn(how);
      await rm(temporary);
      await writeFile(final, 'sound');
      expect(await recoverOutput(journalled)).toBe('published');
      await writeFile(final, 'noise');
      const other = { ...journalled, finished: { ...journalled.finished, identity: { device: '0', inode: '0' } } };
      expect(await recoverOutput(other)).toBe('missing');
      expect(await readFile(final, 'utf8')).toBe('noise');
    },
  );

  it('leaves an empty file alone that is not our placeholder', async () => {
    const journalled = await journalledIn('link');
    await writeFile(final, '');
    expect(await recoverOutput(journalled)).toBe('missing');
    expect((await readdir(folder)).sort()).toEqual(['.timbre-a.part', 'out.wav']);
  });

  it('leaves a folder at the final name alone', async () => {
    const journalled = await journalledIn('placeholder');
    await mkdir(final);
    expect(await recoverOutput(journalled)).toBe('missing');
    expect((await readdir(folder)).sort()).toEqual(['.timbre-a.part', 'out.wav']);
  });

  it('removes a temporary file that changed after it was finished', async () => {
    const journalled = await journalledIn('link');
    await writeFile(temporary, 'half');
    expect(await recoverOutput(journalled)).toBe('missing');
    expect(await readdir(folder)).toEqual([]);
    expect(await reopenOutput(folder, 'a', journalled.finished)).toBeUndefined();
  });

  it('identifies a complete temporary file by its content if its inode changed', async () => {
    const journalled = await journalledIn('link');
    const renumbered = { ...journalled, finished: { ...journalled.finished, identity: { device: '0', inode: '0' } } };
    expect(await recoverOutput(renumbered)).toBe('missing');
    expect(await publishAfterAll(renumbered)).toBe(final);
    expect(await readdir(folder)).toEqual(['out.wav']);
  });

  it('finds nothing if the folder is gone', async () => {
    const journalled = await journalledIn('link');
    await rm(folder, { recursive: true });
    expect(await recoverOutput(journalled)).toBe('missing');
  });
});

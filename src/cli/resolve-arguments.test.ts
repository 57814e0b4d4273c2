import { expect, it } from 'vitest';
import { AppError } from '../shared/errors.ts';
import { loadCliMessages } from '../shared/messages/cli.ts';
import { type Flags, parseLine, scanLine } from './args.ts';
import { assertArguments, checkVoice, resolveVoice, untilAnswered } from './resolve-arguments.ts';
import { sentence } from './errors.ts';
import type { Output } from './output.ts';
import type { Session } from './session.ts';

const en = await loadCliMessages('en');

function check(...args: readonly string[]): void {
  const line = parseLine(scanLine(args), en);
  if (line.kind === 'command') assertArguments(line, en);
}

it.each([
  [['convert', '', '--voice', 'v'], 'FILE|DIR'],
  [['convert', 'a.wav', '', '--voice', 'v'], 'FILE|DIR'],
  [['watch', '', '--voice', 'v'], 'DIR'],
  [['history', 'show', ''], 'ID'],
  [['history', 'restore', ''], 'ID'],
  [['history', 'export', ''], 'FILE.jsonl|FILE.zip'],
  [['connections', 'import', ''], 'FILE'],
  [['connections', 'export', 'Studio', ''], 'FILE'],
  [['connections', 'export', ''], 'NAME'],
])('%j is refused by the name of its empty argument', (args, argument) => {
  const message = `${argument} can’t be empty.`;
  expect(() => check(...args)).toThrow(expect.objectContaining({ code: 'request/invalid', message }));
});

it('an empty text is left to the command, which says what to do', () => {
  expect(() => check('speak', '', '--voice', 'v')).not.toThrow();
});

it('a result is saved in a file or folder, and never written to stdout', () => {
  const message = en.cli.usage.outIsStdout;
  for (const args of [
    ['convert', 'a.wav', '--voice', 'v', '--out', '-'],
    ['speak', 'Hello', '--voice', 'v', '-o', '-'],
  ])
    expect(() => check(...args)).toThrow(expect.objectContaining({ code: 'request/invalid', message }));
  expect(() => check('speak', '-', '--voice', 'v')).not.toThrow();
});

const catalogue = [
  { id: 'low-bronze', name: 'Low bronze' },
  { id: 'anna-1', name: 'Anna' },
  { id: 'anna-2', name: 'anna' },
  { id: 'Anna', name: 'Someone else' },
];

/** A connection with these voices, whose lookup by id fails with `error`. */
function sessionWith(error: AppError | null, voices: readonly object[] = []): Session {
  const get = () => (error ? Promise.reject(error) : Promise.resolve({ id: 'v' }));
  const listAll = () => Promise.resolve({ voices, problem: null });
  return { core: { voices: { get, listAll } }, connectionId: 'c', name: 'Studio' } as unknown as Session;
}

const resolveIn = (voices: readonly object[], given: string) =>
  resolveVoice(sessionWith(new AppError('voice/not-found', 'none'), voices), given, {
    messages: en,
    signal: new AbortController().signal,
    flags: {},
  });

it('a voice may be given by its name, in any case, if only one has it', async () => {
  for (const given of ['Low bronze', 'low bronze ', 'LOW BRONZE'])
    expect(await resolveIn(catalogue, given)).toMatchObject({ id: 'low-bronze' });
  expect(await resolveIn(catalogue, 'Anna')).toMatchObject({ id: 'Anna' });
  await expect(resolveIn(catalogue, 'ANNA')).rejects.toMatchObject({
    code: 'voice/not-found',
    message: 'Several voices are called ANNA. Write the id of the one you mean.',
  });
});

it.each([
  ['low-bronz', 'low-bronze'],
  ['Low-Bronze', 'low-bronze'],
  ['low', 'low-bronze'],
  ['Someone els', 'Anna'],
])('of a voice that is not there the closest one is named: %s', async (given, near) => {
  await expect(resolveIn(catalogue, given)).rejects.toMatchObject({
    code: 'voice/not-found',
    message:
      `Studio has no voice "${given}". Did you mean ${near}? ` +
      'To list the voices, run "timbre voices list --connection Studio".',
  });
});

async function dryRun(error: AppError | null, flags: Flags = {}): Promise<readonly string[]> {
  const told: string[] = [];
  const session = sessionWith(error);
  const output = { error: (text: string) => void told.push(text) } as Parameters<typeof checkVoice>[2]['output'];
  await checkVoice(session, 'v', { messages: en, output, signal: new AbortController().signal, flags });
  return told;
}

it('a dry run ends at a voice that the connection does not offer', async () => {
  expect(await dryRun(null)).toEqual([]);
  await expect(dryRun(new AppError('voice/not-found', 'none'))).rejects.toMatchObject({
    code: 'voice/not-found',
    message: 'Studio has no voice "v". To list the voices, run "timbre voices list --connection Studio".',
  });
  const file = { connection: '/data/my studio.json' };
  await expect(dryRun(new AppError('voice/not-found', 'none'), file)).rejects.toThrow(
    "timbre voices list --connection '/data/my studio.json'",
  );
});

it('a dry run goes on, and says so, if the voice cannot be checked', async () => {
  const problem = { code: 'network/unreachable' } as const;
  expect(await dryRun(new AppError(problem.code, 'gone'))).toEqual([
    `Couldn’t check the voice "v". ${sentence(en, problem)}`,
  ]);
});

it('a disk that does not answer is told once, and waited for until it does or the user cancels', async () => {
  const printed: string[] = [];
  const output = { error: (text: string) => void printed.push(text), event: () => undefined } as unknown as Output;
  const clock = { sleep: () => Promise.resolve() };
  const cancelling = new AbortController();
  const context = { messages: en, output, signal: cancelling.signal };
  const disk = Promise.withResolvers<string>();
  const found = untilAnswered('/media/disk', disk.promise, context, clock);
  await expect.poll(() => printed).toEqual([en.cli.diskSilent({ path: '/media/disk' })]);
  disk.resolve('found');
  expect(await found).toBe('found');
  const hung = untilAnswered('/media/disk', new Promise(() => undefined), context, clock);
  cancelling.abort();
  await expect(hung).rejects.toBe(cancelling.signal.reason);
  expect(await untilAnswered('/here', Promise.resolve(1), { ...context, signal: new AbortController().signal })).toBe(
    1,
  );
  expect(printed).toHaveLength(2);
});

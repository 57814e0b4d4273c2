import { expect, it } from 'vitest';
import { AppError } from '../shared/errors.ts';
import { loadCliMessages } from '../shared/messages/cli.ts';
import { type Flags, parseLine, scanLine } from './args.ts';
import { assertArguments, checkVoice } from './resolve-arguments.ts';
import { sentence } from './errors.ts';
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

async function dryRun(error: AppError | null, flags: Flags = {}): Promise<readonly string[]> {
  const told: string[] = [];
  const get = () => (error ? Promise.reject(error) : Promise.resolve({ id: 'v' }));
  const session = { core: { voices: { get } }, connectionId: 'c', name: 'Studio' } as unknown as Session;
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

import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Core } from '../../main/core/core.ts';
import { AppError } from '../../shared/app-error.ts';
import { readSettings } from '../../shared/schemas/settings.ts';
import { usageText, type Command, type Invocation } from '../command.ts';
import type { Check } from '../doctor/check.ts';
import { checkClock, checkConnections } from '../doctor/check-connections.ts';
import { checkRights, checkSpace, checkWatching } from '../doctor/check-folders.ts';
import { exitCodes, type ExitCode } from '../exit-code.ts';
import { sentence } from '../sentence.ts';
import { dataFolderOf, openSession } from '../session.ts';
import { usageError } from '../usage-error.ts';

const usage = ['timbre doctor'];

/** Stored connections are known once the database is open; why it could not be opened is a finding of its own. */
async function checkData(core: Core, { messages }: Invocation): Promise<readonly Check[]> {
  try {
    await core.data();
    return [];
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return [{ check: 'data', ok: false, message: sentence(messages, error.problem) }];
  }
}

async function checkKeychain(core: Core, { messages: { cli } }: Invocation): Promise<Check> {
  const problem = await core.secrets.keychainProblem();
  const message = problem === null ? cli.doctor.keychain : cli.doctor.noKeychain(problem);
  return { check: 'keychain', ok: problem === null, message };
}

/** The folder for results that the app's settings name, if they do. */
async function settledFolder(folder: string): Promise<string | null> {
  try {
    return readSettings(JSON.parse(await readFile(join(folder, 'settings.json'), 'utf8'))).outputFolder;
  } catch {
    return null;
  }
}

async function* checkAll(core: Core, invocation: Invocation): AsyncGenerator<Check> {
  const { flags, messages, signal } = invocation;
  const folder = dataFolderOf(flags);
  const outputs = (await settledFolder(folder)) ?? process.cwd();
  await mkdir(folder, { recursive: true }).catch(() => undefined);
  const rights = await checkRights('data-folder', folder, messages);
  yield rights;
  yield* await checkData(core, invocation);
  yield* await checkConnections(core, messages, signal);
  yield await checkKeychain(core, invocation);
  yield await checkRights('output-folder', outputs, messages);
  yield await checkSpace('disk', outputs, messages);
  yield await checkSpace('data-disk', folder, messages);
  yield await checkClock(core, messages, signal);
  if (rights.ok) yield await checkWatching(folder, messages);
}

async function run(invocation: Invocation): Promise<ExitCode> {
  const { words, output, messages } = invocation;
  const { cli } = messages;
  if (words.length > 0) throw usageError(cli.usage.wrong(usageText(usage, messages)));
  const { core } = await openSession(invocation);
  try {
    const checks: Check[] = [];
    for await (const check of checkAll(core, invocation)) {
      checks.push(check);
      output.say(`${check.check}: ${check.ok ? cli.doctor.good : cli.doctor.bad}. ${check.message}`);
    }
    output.event({ event: 'result', checks });
    return checks.every(({ ok }) => ok) ? exitCodes.done : exitCodes.other;
  } finally {
    await core.stop();
  }
}

export const doctor: Command = { usage, purpose: ({ cli }) => cli.help.doctor, options: {}, run };

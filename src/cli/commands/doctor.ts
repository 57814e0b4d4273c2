import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { planChecks, runChecks } from '../../main/core/diagnostics/plan-checks.ts';
import { findingText } from '../../shared/messages/finding-text.ts';
import type { Messages } from '../../shared/messages/index.ts';
import { readSettings } from '../../shared/schemas/settings.ts';
import type { CheckLine } from '../../shared/wire/check.ts';
import { usageText, type Command, type Invocation } from '../command.ts';
import { exitCodes, type ExitCode } from '../exit-code.ts';
import { dataFolderOf, openSession } from '../session.ts';
import { usageError } from '../usage-error.ts';

const usage = ['timbre doctor'];

/** The folder for results that the app's settings name, if they do. */
async function settledFolder(folder: string): Promise<string | null> {
  try {
    return readSettings(JSON.parse(await readFile(join(folder, 'settings.json'), 'utf8'))).outputFolder;
  } catch {
    return null;
  }
}

interface Told {
  readonly check: string;
  readonly ok: boolean;
  readonly message: string;
}

/** The lines up to the first that is still looked at. A database that opens is no line here: it is what everybody expects. */
function toldOf(lines: readonly CheckLine[], messages: Messages): readonly Told[] {
  const open = lines.findIndex(({ result }) => result === null);
  return lines.slice(0, open < 0 ? lines.length : open).flatMap(({ check, result }) => {
    if (!result || result.finding.kind === 'opens') return [];
    return [{ check, ok: result.ok, message: findingText(messages, result.finding) }];
  });
}

async function run(invocation: Invocation): Promise<ExitCode> {
  const { flags, words, output, messages, signal } = invocation;
  const { cli } = messages;
  if (words.length > 0) throw usageError(cli.usage.wrong(usageText(usage, messages)));
  const { core } = await openSession(invocation);
  try {
    const dataFolder = dataFolderOf(flags);
    const plan = await planChecks(core, {
      dataFolder,
      outputFolder: (await settledFolder(dataFolder)) ?? process.cwd(),
    });
    let said = 0;
    const lines = await runChecks(plan, signal, (soFar) => {
      const told = toldOf(soFar, messages);
      for (const { check, ok, message } of told.slice(said)) {
        output.say(`${check}: ${ok ? cli.doctor.good : cli.doctor.bad}. ${message}`);
      }
      said = told.length;
    });
    const checks = toldOf(lines, messages);
    output.event({ event: 'result', checks });
    return checks.every(({ ok }) => ok) ? exitCodes.done : exitCodes.other;
  } finally {
    await core.stop();
  }
}

export const doctor: Command = { usage, purpose: ({ cli }) => cli.help.doctor, options: {}, run };

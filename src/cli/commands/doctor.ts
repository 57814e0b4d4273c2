import { planChecks, runChecks } from '../../main/core/diagnostics/health-checks.ts';
import { findingText } from '../../shared/messages/problem-text.ts';
import type { Messages } from '../../shared/messages/index.ts';
import type { CheckLine } from '../../shared/schemas/diagnostics.ts';
import type { Invocation, Run } from '../args.ts';
import { exitCodes } from '../errors.ts';
import { openSession } from '../session.ts';
import { environmentProxy } from '../command-settings.ts';

interface Told {
  readonly check: string;
  readonly ok: boolean;
  /** Something is not as it could be, and nothing that is in use needs it. */
  readonly isWarning: boolean;
  readonly message: string;
}

/** The lines up to the first that is still looked at. A database that opens is no line here: it is what everybody expects. */
function toldOf(lines: readonly CheckLine[], messages: Messages): readonly Told[] {
  const open = lines.findIndex(({ result }) => result === null);
  return lines.slice(0, open < 0 ? lines.length : open).flatMap(({ check, result }) => {
    if (!result || result.finding.kind === 'opens') return [];
    // A connection whose token cannot be had fails by itself.
    const isWarning = result.finding.kind === 'no-keychain';
    return [{ check, ok: result.ok || isWarning, isWarning, message: findingText(messages, result.finding) }];
  });
}

/** The way to services on other computers, without the password that may stand in an address. */
function proxyLine({ settings: { proxy }, messages: { cli } }: Invocation): Told {
  const own = environmentProxy(process.env);
  const address = own ?? (proxy === 'direct' ? '' : proxy);
  const message =
    address === ''
      ? cli.doctor.noProxy
      : cli.doctor.proxy(address.replace(/\/\/[^@/]*@/, '//'), own === null ? 'settings' : 'environment');
  return { check: 'proxy', ok: true, isWarning: false, message };
}

export const doctor: Run = async (invocation) => {
  const { output, messages, settings, dataFolder, signal } = invocation;
  const { doctor: words } = messages.cli;
  const say = ({ check, ok, isWarning, message }: Told): void =>
    output.say(
      `${check}: ${isWarning ? words.warning : ok ? words.good : words.bad}. ${message}`,
      ok ? undefined : 'bad',
    );
  const { core } = await openSession(invocation);
  try {
    const proxy = proxyLine(invocation);
    say(proxy);
    const plan = await planChecks(core, { dataFolder, outputFolder: settings.outputFolder ?? process.cwd() });
    let said = 0;
    const lines = await runChecks(plan, signal, (soFar) => {
      const told = toldOf(soFar, messages);
      told.slice(said).forEach(say);
      said = told.length;
    });
    const checks = [proxy, ...toldOf(lines, messages)];
    output.event({ event: 'result', checks });
    return checks.every(({ ok }) => ok) ? exitCodes.done : exitCodes.other;
  } finally {
    await core.stop();
  }
};

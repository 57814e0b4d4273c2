import { findingText } from '../../shared/messages/finding-text.ts';
import { planChecks, runChecks } from '../../main/core/diagnostics/health-checks.ts';
import type { CliMessages } from '../../shared/messages/cli.ts';
import type { HealthCheck } from '../../shared/schemas/diagnostics.ts';
import type { Invocation, Run } from '../args.ts';
import { exitCodes } from '../errors.ts';
import { openSession } from '../session.ts';
import { environmentProxy } from '../command-settings.ts';

interface CheckText {
  readonly check: string;
  readonly ok: boolean;
  /** Could be better, but nothing in use depends on it. */
  readonly isWarning: boolean;
  readonly message: string;
}

/** The results before the first check that is still running. An intact database is expected, so it gets no line. */
function toCheckTexts(lines: readonly HealthCheck[], messages: CliMessages): readonly CheckText[] {
  const open = lines.findIndex(({ result }) => result === null);
  return lines.slice(0, open < 0 ? lines.length : open).flatMap(({ subject: check, result }) => {
    if (!result || result.finding.kind === 'opens') return [];
    // A connection whose token can't be read fails its own check.
    const isWarning = result.finding.kind === 'no-keychain';
    return [{ check, ok: result.ok || isWarning, isWarning, message: findingText(messages, result.finding) }];
  });
}

/** A proxy's address without its credentials, however it is written: of one that is no URL, only what follows the last `@`. */
export function withoutCredentials(address: string): string {
  const url = URL.canParse(address) ? new URL(address) : null;
  if (url && url.host !== '') return `${url.protocol}//${url.host}`;
  return address.slice(address.lastIndexOf('@') + 1);
}

/** The proxy for remote services; the credentials in its address are removed. */
function proxyText({ settings: { proxy }, messages }: Invocation): CheckText {
  const own = environmentProxy(process.env);
  const address = own ?? (proxy === 'direct' ? '' : proxy);
  const message =
    address === ''
      ? messages.cli.doctor.noProxy
      : messages.cli.doctor.proxy[own === null ? 'settings' : 'environment']({ address: withoutCredentials(address) });
  return { check: 'proxy', ok: true, isWarning: false, message };
}

export const doctor: Run = async (invocation) => {
  const { output, messages, settings, dataFolder, signal } = invocation;
  const { format } = messages;
  const { doctor: labels } = messages.cli;
  const print = ({ check, ok, isWarning, message }: CheckText): void =>
    output.print(
      format.sentences(
        format.sentence(format.labelled(check, isWarning ? labels.warning : ok ? labels.good : labels.bad)),
        message,
      ),
      ok ? undefined : 'bad',
    );
  const { core } = await openSession(invocation);
  try {
    const proxy = proxyText(invocation);
    print(proxy);
    const plan = await planChecks(core, { dataFolder, outputFolder: settings.outputFolder ?? process.cwd() });
    let printed = 0;
    const lines = await runChecks(plan, signal, (soFar) => {
      const texts = toCheckTexts(soFar, messages);
      texts.slice(printed).forEach(print);
      printed = texts.length;
    });
    const checks = [proxy, ...toCheckTexts(lines, messages)];
    output.event({ event: 'result', checks });
    return checks.every(({ ok }) => ok) ? exitCodes.done : exitCodes.other;
  } finally {
    await core.stop();
  }
};

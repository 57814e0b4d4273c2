import { findingText } from '../../../../shared/messages/finding-text.ts';
import { problemSentence, problemText } from '../../../../shared/messages/problem-text.ts';
import { type Messages } from '../../../../shared/messages/index.ts';
import { logText, type LogRow } from '../../../../shared/schemas/log.ts';
import type { HealthCheck, HealthReport, Finding } from '../../../../shared/schemas/diagnostics.ts';

const connectionPrefix = 'connection/';

/** The name of what is checked. A connection has the name that the user gave it; this computer has a translated one. */
export function checkName({ subject, result }: HealthCheck, t: Messages): string {
  const names: Readonly<Record<string, string>> = t.diagnostics.names;
  const own = Object.hasOwn(names, subject) ? names[subject] : undefined;
  if (own !== undefined) return own;
  const finding = result?.finding;
  const isHere = finding && 'connection' in finding && finding.connection === null;
  return isHere ? t.connection.thisComputer : subject.replace(connectionPrefix, '');
}

/** A finding in a few words. */
export function checkFact(finding: Finding, t: Messages): string {
  const { facts } = t.diagnostics;
  switch (finding.kind) {
    case 'fails':
    case 'not-open':
      return problemText(t, finding.problem).title;
    case 'no-keychain':
      return facts.noKeychain;
    case 'not-writable':
      return facts.notWritable;
    case 'not-told':
      return facts.polled;
    case 'free':
    case 'full':
      return facts[finding.kind]({ bytes: finding.bytes });
    case 'clock':
      return facts.clock({ seconds: finding.seconds });
    case 'clock-off':
      return facts.clockOff({ seconds: finding.seconds });
    case 'no-clock':
      return facts.noClock;
    default:
      return facts[finding.kind];
  }
}

/** A finding as a sentence: what is right, or what to do. */
export function checkText(finding: Finding, t: Messages): string {
  if (finding.kind === 'no-keychain') return t.diagnostics.noKeychain;
  // The check's name precedes this text, so the text does not repeat it.
  return finding.kind === 'fails' ? problemSentence(t, finding.problem) : findingText(t, finding);
}

/** Longest log in a report, in UTF-16 units. */
const maxReportLog = 60_000;

/** The newest entries that fit a report. */
function reportLog(rows: readonly LogRow[]): string {
  const texts: string[] = [];
  let length = 0;
  for (const text of rows.map(logText).reverse()) {
    length += text.length + 1;
    if (length > maxReportLog) break;
    texts.push(text);
  }
  return texts.reverse().join('\n');
}

/** The report as text, for a request for help. Main has redacted all secrets. `log` has its newest entries. */
export function reportText({ at, version, system, checks }: HealthReport, log: readonly LogRow[], t: Messages): string {
  const { diagnostics, format } = t;
  const { report, logHead, noLog } = diagnostics;
  const results = checks.map(({ subject, result }) =>
    result
      ? format.sentences(
          format.sentence(format.labelled(subject, result.ok ? report.ok : report.problem)),
          checkText(result.finding, t),
        )
      : format.labelled(subject, report.unchecked),
  );
  const head = [`${t.app.name} ${version}`, system, new Date(at).toISOString()];
  return [...head, '', ...results, '', logHead, reportLog(log) || noLog, ''].join('\n');
}

import type { Finding } from '../schemas/diagnostics.ts';
import type { Messages } from './index.ts';
import { problemSentence } from './problem-text.ts';

/** The finding of a health check in one line: what works, or what to do. */
export function findingText(messages: Messages, finding: Finding): string {
  const { doctor, connection: t } = messages;
  const nameOf = (connection: string | null): string => connection ?? t.thisComputer;
  switch (finding.kind) {
    case 'answers':
      return doctor.answers({ name: nameOf(finding.connection) });
    case 'fails': {
      const problem = problemSentence(messages, finding.problem).replaceAll('\n', ' ');
      return doctor.fails({ name: nameOf(finding.connection), problem });
    }
    case 'opens':
      return doctor.opens;
    case 'not-open':
      return problemSentence(messages, finding.problem);
    case 'keychain':
      return doctor.keychain;
    case 'no-keychain':
      return doctor.noKeychain(finding);
    case 'writable':
      return doctor.writable({ path: finding.folder });
    case 'not-writable':
      return doctor.notWritable({ path: finding.folder });
    case 'free':
      return doctor.free({ bytes: finding.bytes, path: finding.folder });
    case 'full':
      return doctor.full({ bytes: finding.bytes, path: finding.folder });
    case 'clock':
      return doctor.clock({ name: finding.connection, seconds: finding.seconds });
    case 'clock-off':
      return doctor.clockOff({ name: finding.connection, seconds: finding.seconds });
    case 'no-clock':
      return doctor.noClock;
    case 'told':
      return doctor.watching({ path: finding.folder });
    case 'not-told':
      return doctor.polling({ path: finding.folder });
  }
}

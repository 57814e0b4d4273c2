import type { ConnectionDocument } from '../../../shared/wire/connection.ts';
import type { Job } from '../jobs/job.ts';
import { elsewhereIn } from './elsewhere.ts';
import type { HistoryLine } from './history-line.ts';

interface Circumstances {
  /** Where sounds of imports go. */
  readonly folder: string;
  /** The connection of this name here, or nobody's. */
  readonly connectionId: string;
  readonly document: ConnectionDocument;
}

/** The job that an exported entry was: it has ended, nobody works on it, and no queue lists it. Its files are elsewhere. */
export function fromHistoryLine(line: HistoryLine, { folder, connectionId, document }: Circumstances): Job {
  const at = (name: string) => elsewhereIn(folder, name);
  const { id, state, createdAt, startedAt, endedAt, attempts, timings, problem, result } = line;
  const common = {
    id,
    order: 0,
    revision: 1,
    state,
    since: endedAt,
    createdAt,
    startedAt,
    endedAt,
    nextTryAt: null,
    attempts,
    tries: 0,
    problem: problem,
    timings: timings as Job['timings'],
    listed: false,
    connection: { id: connectionId, name: line.connection.name, document },
    voice: line.voice,
    target: { folder: line.kind === 'speech' ? folder : null, nameTemplate: line.nameTemplate },
    outputFormat: line.outputFormat,
    audioUrl: null,
    processingTime: line.processingTime,
    finished: result && {
      sha256: result.sha256,
      sizeBytes: result.sizeBytes,
      identity: { device: '0', inode: '0' },
    },
    output: result && ({ path: at(result.name), how: 'link' } as const),
  };
  if (line.kind === 'speech') return { ...common, kind: 'speech', settings: line.settings, text: line.text };
  const { source, taskId, settings, durationSeconds, audioName, platform, changerType } = line;
  const snapshot =
    source.sizeBytes === null ? null : { device: '0', inode: '0', sizeBytes: source.sizeBytes, modifiedNs: '0' };
  return {
    ...common,
    kind: 'conversion',
    settings,
    source: { path: at(source.name), subfolder: '', snapshot },
    sourceSha256: source.sha256,
    durationSeconds,
    audioName,
    platform,
    taskId,
    changerType,
  };
}

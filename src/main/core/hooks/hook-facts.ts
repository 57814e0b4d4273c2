import { randomUUID } from 'node:crypto';
import { basename, extname } from 'node:path';
import type { HookArgumentFacts } from '../../../shared/text/hook-arguments.ts';
import { defaultSettings } from '../../../shared/schemas/settings.ts';
import { toArchiveLine } from '../history/archive-format.ts';
import { resultOf, sourceOf } from '../history/file-status.ts';
import { type Job, nameOf } from '../jobs/job.ts';

/** What a hook learns about a result: docs/hooks.md describes it. */
export interface HookFacts {
  readonly args: HookArgumentFacts;
  /** The object on standard input, without what differs between starts. */
  readonly entry: Readonly<Record<string, unknown>>;
}

/** The version of the object; a field that is added is none. */
const version = 1;

/** The facts of a job that is done; null for any other. They contain no token, and no address of a service or result. */
export function factsOf(job: Job, watchFolder: string | null): HookFacts | null {
  const result = resultOf(job);
  const line = toArchiveLine(job, { isFavourite: false, tags: [] });
  if (job.state !== 'done' || !result || !line) return null;
  // The user marks entries later: these fields of the list say nothing yet.
  const entry = Object.fromEntries(Object.entries(line).filter(([key]) => key !== 'isFavourite' && key !== 'tags'));
  const source = sourceOf(job);
  return {
    args: {
      id: job.id,
      name: nameOf(job),
      voice: job.voice.name,
      connection: job.connection.name,
      language: (job.kind === 'speech' && job.settings.language) || job.voice.language,
      createdAt: new Date(job.createdAt),
      source: source?.path ?? '',
      result: result.path,
    },
    entry: {
      ...entry,
      source: source && { ...line.source, path: source.path },
      result: { ...line.result, path: result.path },
      watchFolder,
    },
  };
}

/** Facts like those of a conversion, for a try before there is any result. The sound is both original and result. */
export function sampleFacts(path: string, now: number): HookFacts {
  const name = basename(path, extname(path));
  const id = randomUUID();
  const voice = { id: 'sample', name: 'Sample', language: 'en', gender: '', category: '' };
  const file = { name: basename(path), path };
  return {
    args: {
      ...{ id, name, voice: voice.name, connection: 'Sample', language: voice.language },
      ...{ createdAt: new Date(now), source: path, result: path },
    },
    entry: {
      ...{ id, kind: 'conversion', state: 'done', createdAt: now, startedAt: now, endedAt: now },
      ...{ connection: { name: 'Sample' }, voice, settings: defaultSettings.conversion },
      ...{ source: file, result: file, watchFolder: null },
    },
  };
}

/** The text on the hook's standard input: one JSON object. */
export const hookInput = ({ entry }: HookFacts, { attempt, isTest }: { attempt: number; isTest: boolean }): string =>
  `${JSON.stringify({ timbre: 'hook', version, isTest, attempt, ...entry })}\n`;

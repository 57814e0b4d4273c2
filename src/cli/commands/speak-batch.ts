import { unlessAborted } from '../../main/core/clock.ts';
import { readChunks } from '../../main/core/files/content.ts';
import { hasEnded, type Job } from '../../main/core/jobs/job.ts';
import type { SpeechRequest } from '../../main/core/jobs/new-job.ts';
import {
  assertBatchSize,
  type BatchText,
  isReady,
  nameTemplateFor,
  prepareBatch,
  readBatchFile,
} from '../../main/core/speech/speech-batch.ts';
import { readTextBytes } from '../../main/core/speech/text-file.ts';
import type { Problem } from '../../shared/errors.ts';
import type { TextDivision } from '../../shared/schemas/speech.ts';
import type { Pronunciation } from '../../shared/text/pronounce.ts';
import type { Invocation } from '../args.ts';
import { type ExitCode, exitCodeOf, exitCodes, sentence } from '../errors.ts';
import { failureOf, runJobs } from '../run-jobs.ts';
import type { Session } from '../session.ts';
import { printSpeechPreview } from './speak-preview.ts';

/** What the flags make a result of its own; undefined if they do not say. */
export const givenDivision = (flags: Invocation['flags']): TextDivision | undefined =>
  (['chapters', 'paragraphs'] as const).find((division) => flags[`split-${division}`] === true);

/** Reads files of texts. Throws `input/…` for one that cannot be read; what is wrong within one is with its texts. */
export async function readBatchFiles(
  paths: readonly string[],
  { flags, signal }: Pick<Invocation, 'flags' | 'signal'>,
  toError: (error: unknown, path: string) => unknown,
): Promise<readonly BatchText[]> {
  const division = givenDivision(flags) ?? 'whole';
  const texts: BatchText[] = [];
  for (const path of paths) {
    try {
      const bytes = await unlessAborted(readTextBytes(readChunks(path, signal)), signal);
      texts.push(...(await readBatchFile(path, bytes, division)));
    } catch (error) {
      signal.throwIfAborted();
      throw toError(error, path);
    }
  }
  assertBatchSize(texts);
  return texts;
}

interface Batch {
  readonly texts: readonly BatchText[];
  /** What the texts are spoken with unless they say otherwise. */
  readonly request: SpeechRequest;
  readonly pronunciations: readonly Pronunciation[];
}

/** Speaks each text that can be spoken as a job, and reports the others with their rows. Nothing is called for those. */
export async function speakBatch(
  session: Session,
  { texts, request, pronunciations }: Batch,
  invocation: Invocation,
): Promise<ExitCode> {
  const { flags, output, messages, signal } = invocation;
  const { core, connectionId } = session;
  const prepared = await prepareBatch(texts, {
    ...{ speaker: request.voice, settings: request.settings, pronunciations },
    maxLength: request.connection.document.limits.maxTextLength,
    findVoice: (id) => core.voices.get(connectionId, id),
    listVoices: () => unlessAborted(core.voices.listAll(connectionId), signal),
  });
  const nameOf = ({ row, file, title }: BatchText): string =>
    row === null ? title : messages.cli.speak.row({ file, row });
  if (flags['dry-run'] === true) {
    const listed = prepared.map((text) => {
      const { file, row, title, problem } = text;
      const shown = { name: nameOf(text), place: { source: file, row, title } };
      return isReady(text) ? { ...text, ...shown } : { ...shown, problem: problem ?? { code: 'internal' as const } };
    });
    return printSpeechPreview(session, listed, invocation);
  }
  const bad = prepared.filter((text) => !isReady(text));
  for (const text of bad) {
    if (text.problem) output.error(`${nameOf(text)}: ${sentence(messages, text.problem)}`);
  }
  const ready = prepared.filter(isReady);
  const { submitJobs } = await core.queue();
  const { ids, createdIds } = await submitJobs.addTexts(
    ready.map((text) => ({
      text: text.text,
      request: {
        ...{ ...request, voice: text.speaker, settings: text.settings },
        nameTemplate: nameTemplateFor(text, request.nameTemplate),
      },
    })),
  );
  const textById = new Map(ids.map((id, k) => [id, ready[k]] as const));
  const created = new Set(createdIds);

  function reportEnd(job: Job): void {
    const text = textById.get(job.id);
    const name = text ? nameOf(text) : job.id;
    if (job.state !== 'done') {
      output.error(`${name}: ${job.problem ? sentence(messages, job.problem) : messages.job.cancelled}`);
      return;
    }
    output.report(`${name} -> ${job.output?.path ?? ''}`);
    if (job.problem) output.info(`${name}: ${sentence(messages, job.problem)}`);
  }

  const failures = (problem: Problem) => ({ code: problem.code, message: sentence(messages, problem) });
  return runJobs(session, ids, invocation, {
    onEnded: reportEnd,
    summarize({ jobs, end }) {
      const byId = new Map(jobs.map((job) => [job.id, job]));
      const idOf = new Map(ready.map((text, k) => [text, ids[k] ?? '']));
      const pause = end === 'shutdown' ? null : end;
      if (pause?.problem) output.error(sentence(messages, pause.problem));
      if (jobs.some((job) => !hasEnded(job))) output.error(messages.cli.runAgain);
      const done = jobs.filter(({ state }) => state === 'done');
      output.info(messages.cli.speak.ended({ done: done.length, all: prepared.length }));
      const known = done.filter(({ id }) => !created.has(id)).length;
      if (known > 0) output.info(messages.cli.speak.known({ n: known }));
      output.event({
        event: 'result',
        outputs: prepared.map((text) => {
          const { file, row, title } = text;
          const job = isReady(text) ? byId.get(idOf.get(text) ?? '') : undefined;
          const problem = job ? failureOf(job, end) : text.problem;
          return {
            ...{ source: file, row, title },
            output: job?.state === 'done' ? (job.output?.path ?? null) : null,
            sha256: job?.finished?.sha256 ?? null,
            status: job ? (hasEnded(job) ? job.state : 'waiting') : 'refused',
            ...(problem && failures(problem)),
          };
        }),
      });
      if (end === 'shutdown') return exitCodes.cancelled;
      const failed = jobs.find(({ state }) => state !== 'done');
      if (failed?.state === 'cancelled') return exitCodes.cancelled;
      const problem = failed ? (failureOf(failed, end) ?? { code: 'internal' as const }) : (bad[0]?.problem ?? null);
      return problem ? exitCodeOf(problem.code) : exitCodes.done;
    },
  });
}

import { setImmediate as nextTurn } from 'node:timers/promises';
import { AppError } from '../../../shared/errors.ts';
import { type ConversionSettings, fitSettings } from '../../../shared/schemas/settings.ts';
import { type ChangerEngine, changerEngines } from '../../../shared/operations.ts';
import type { ConnectionInfo } from '../../../shared/schemas/connection.ts';
import type { RepeatChanges, RepeatPreview, RepeatResult, SkippedEntry } from '../../../shared/schemas/history.ts';
import type { SpeechJobSettings } from '../../../shared/schemas/speech.ts';
import type { Voice } from '../../../shared/schemas/voice.ts';
import type { ConnectionRegistry } from '../connections/connection-registry.ts';
import type { JobStore } from '../jobs/job-store.ts';
import { hasEnded, type Job, type JobConnection, nameOf } from '../jobs/job.ts';
import type { SubmitJobs } from '../jobs/submit-jobs.ts';
import { speakerVoice } from '../speech/spoken-passages.ts';
import type { VoiceCatalogue } from '../voices/voice-catalogue.ts';
import { type FileQueries, sourceOf } from './file-status.ts';

const isChangerEngine = (engine: RepeatChanges['engine']): engine is ChangerEngine =>
  changerEngines.some((one) => one === engine);

const ofConversion = (then: ConversionSettings, voice: Voice, changes: RepeatChanges): ConversionSettings => ({
  voiceId: voice.id,
  pitch: changes.pitch ?? then.pitch,
  speed: changes.speed ?? then.speed,
  pitchControl: changes.pitchControl ?? then.pitchControl,
  autoF0: changes.autoF0 ?? then.autoF0,
  engine: isChangerEngine(changes.engine) ? changes.engine : then.engine,
  format: changes.format ?? then.format,
});

const ofSpeech = (
  then: SpeechJobSettings,
  voice: Voice,
  { language, ...changes }: RepeatChanges,
): SpeechJobSettings => ({
  ...then,
  voiceId: voice.id,
  // Empty means the language of the voice, as for a new speech job.
  language: language === '' ? voice.language : (language ?? then.language),
  speed: changes.speed ?? then.speed,
  pitch: changes.pitch ?? then.pitch,
  engine: changes.engine ?? then.engine,
  platform: changes.platform ?? then.platform,
  ...(then.speakers && {
    // A language that was chosen for the text is for all of it.
    speakers: then.speakers.map(({ language: own, ...speaker }) => ({
      ...speaker,
      ...(own !== undefined && !language && { language: own }),
    })),
  }),
});

/**
 * The job with this voice and the changes. Speech has no source folder, so `null` keeps its output
 * folder.
 */
function withOverrides(job: Job, voice: Voice, changes: RepeatChanges): Job {
  const { outputFolder } = changes;
  const { target } = job;
  if (job.kind === 'speech') {
    const folder = outputFolder ?? target.folder;
    return { ...job, voice, target: { ...target, folder }, settings: ofSpeech(job.settings, voice, changes) };
  }
  const folder = outputFolder === undefined ? target.folder : outputFolder;
  return { ...job, voice, target: { ...target, folder }, settings: ofConversion(job.settings, voice, changes) };
}

interface Dependencies {
  readonly store: Pick<JobStore, 'get'>;
  readonly submitJobs: Pick<SubmitJobs, 'repeat' | 'resumeSame'>;
  readonly connections: Pick<ConnectionRegistry, 'has' | 'get' | 'list'>;
  readonly voices: Pick<VoiceCatalogue, 'get'>;
  readonly fileQueries: FileQueries;
}

interface RepeatConnection extends JobConnection {
  readonly kind: ConnectionInfo['kind'];
  /** Not the connection that the entry used. */
  readonly isOther: boolean;
}

/**
 * The requested connection, or the one of the entry, with its current document. An entry from
 * another computer knows its connection only by name.
 */
function connectionOf(
  { connection }: Job,
  asked: string | undefined,
  connections: Dependencies['connections'],
): RepeatConnection {
  const { name } = connection;
  const then = connections.has(connection.id) ? connection.id : connections.list().find((one) => one.name === name)?.id;
  const id = asked ?? then;
  if (id === undefined)
    throw new AppError('connection/not-found', `no connection ${name} any more`, { facts: { name } });
  const { kind, document } = connections.get(id);
  return { id, kind, name: document.name, document, isOther: id !== then };
}

/** The settings, limited to what another connection accepts. */
const withFittedSettings = (job: Job, takes: Parameters<typeof fitSettings>[1]): Job =>
  job.kind === 'speech'
    ? { ...job, settings: fitSettings(job.settings, takes) }
    : { ...job, settings: fitSettings(job.settings, takes) };

async function assertSourceExists(job: Job, fileQueries: FileQueries): Promise<void> {
  // The text of a speech job is in the job.
  const source = job.kind === 'conversion' ? sourceOf(job) : null;
  if (!source) return;
  const status = await fileQueries.quickStatus(source);
  if (status !== 'missing' && status !== 'away') return;
  throw new AppError('input/missing', `${source.path} is ${status}`, { facts: { name: source.name } });
}

const isVoiceGone = (error: unknown): error is AppError =>
  error instanceof AppError && (error.code === 'voice/not-found' || error.code === 'voice/missing');

/**
 * Creates a request function: it returns the entry's job with the changes and without ids, not
 * stored yet. Each voice is looked up once for all entries.
 */
function createRequest(
  { store, connections, voices, fileQueries }: Omit<Dependencies, 'submitJobs'>,
  changes: RepeatChanges,
): (id: string) => Promise<Job> {
  const asked = new Map<string, Promise<Voice>>();
  function findVoice(connectionId: string, id: string): Promise<Voice> {
    const key = JSON.stringify([connectionId, id]);
    const voice = asked.get(key) ?? voices.get(connectionId, id);
    asked.set(key, voice);
    return voice;
  }

  async function voiceOf(job: Job, { id, isOther }: RepeatConnection): Promise<Voice> {
    const { voiceId } = changes;
    if (voiceId !== undefined && voiceId !== job.voice.id) return findVoice(id, voiceId);
    try {
      const voice = await findVoice(id, job.settings.voiceId);
      if (isOther) return voice;
    } catch (error) {
      const { name } = job.voice;
      if (isVoiceGone(error)) throw new AppError(error.code, error.message, { cause: error, facts: { name } });
      // If the service cannot be reached now, the job reports it later; the voice was known when
      // the entry was made.
      if (isOther || !(error instanceof AppError)) throw error;
    }
    return job.voice;
  }

  /** As in `voiceOf`, a service that cannot be reached now is no reason. */
  async function assertSpeakers(job: Job, { id, isOther }: RepeatConnection): Promise<void> {
    const { speakers = [] } = job.kind === 'speech' ? job.settings : {};
    for (const speaker of speakers) {
      await speakerVoice(speaker, (voiceId) => findVoice(id, voiceId)).catch((error: unknown) => {
        const isGone = error instanceof AppError && error.code === 'voice/speaker-not-found';
        if (isGone || isOther || !(error instanceof AppError)) throw error;
      });
    }
  }

  return async (id) => {
    const job = store.get(id);
    if (!job || !hasEnded(job)) throw new AppError('job/not-found', `no entry ${id}`);
    const through = connectionOf(job, changes.connectionId, connections);
    const voice = await voiceOf(job, through);
    await assertSpeakers(job, through);
    await assertSourceExists(job, fileQueries);
    const { id: connectionId, kind, name, document, isOther } = through;
    const changed = withOverrides({ ...job, connection: { id: connectionId, name, document } }, voice, changes);
    return isOther ? withFittedSettings(changed, { kind, ...document.ranges }) : changed;
  };
}

/** Read in a few milliseconds. Not every entry has a file or service to wait for. */
const entriesPerTurn = 50;

/**
 * What `repeatJobs` would send to services. Voices are not looked up, since that may take a call each: an entry whose voice is gone
 * counts, although it would be skipped.
 */
export async function previewRepeat(
  { store, connections, fileQueries }: Pick<Dependencies, 'store' | 'connections' | 'fileQueries'>,
  ids: readonly string[],
  { connectionId }: RepeatChanges = {},
): Promise<RepeatPreview> {
  const services = new Set<string>();
  let [entries, texts, seconds, unmeasured] = [0, 0, 0, 0];
  for (const [k, id] of ids.entries()) {
    if (k % entriesPerTurn === 0) await nextTurn();
    const job = store.get(id);
    if (!job) continue;
    try {
      const { kind, name } = connectionOf(job, connectionId, connections);
      if (kind === 'local') continue;
      await assertSourceExists(job, fileQueries);
      services.add(name);
    } catch (error) {
      if (error instanceof AppError) continue;
      throw error;
    }
    entries += 1;
    if (job.kind === 'speech') texts += 1;
    else if (job.durationSeconds === null) unmeasured += 1;
    else seconds += job.durationSeconds;
  }
  return { services: [...services], entries, texts, seconds, unmeasured };
}

/**
 * Repeats entries of history as new jobs. The connection must exist and offer the voice; if an
 * unchanged service cannot be reached, the stored voice is used. If no job could be made, throws
 * the first error: `connection/not-found`, `voice/not-found`, `input/missing`, `job/not-found`.
 */
export async function repeatJobs(
  { submitJobs, ...dependencies }: Dependencies,
  ids: readonly string[],
  changes: RepeatChanges = {},
): Promise<RepeatResult> {
  const request = createRequest(dependencies, changes);
  let added = 0;
  let first: (SkippedEntry & { readonly error: AppError }) | null = null;
  for (const id of ids) {
    // Each is a commit.
    await nextTurn();
    try {
      submitJobs.repeat(await request(id));
      added += 1;
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      const job = dependencies.store.get(id);
      first ??= { name: job ? (sourceOf(job)?.name ?? nameOf(job)) : null, problem: error.problem, error };
    }
  }
  if (added === 0 && first) throw first.error;
  return { added, skipped: ids.length - added, firstSkipped: first && { name: first.name, problem: first.problem } };
}

/**
 * Repeats one entry for a command, or resumes the job of a killed command with the same request.
 * Throws like `repeatJobs`.
 */
export async function resumeOrRepeat(
  { submitJobs, ...dependencies }: Dependencies,
  id: string,
  changes: RepeatChanges,
  signal: AbortSignal,
): Promise<Job> {
  const job = await createRequest(dependencies, changes)(id);
  return (await submitJobs.resumeSame(job, signal)) ?? submitJobs.repeat(job);
}

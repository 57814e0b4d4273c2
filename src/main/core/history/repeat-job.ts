import { AppError } from '../../../shared/errors.ts';
import {
  type ChangerEngine,
  changerEngines,
  type ConversionSettings,
  fitSettings,
} from '../../../shared/schemas/settings.ts';
import type { ConnectionInfo } from '../../../shared/schemas/connection.ts';
import type { RepeatChanges, RepeatResult, SkippedEntry } from '../../../shared/schemas/history.ts';
import type { SpeechSettings } from '../../../shared/schemas/speech.ts';
import type { Voice } from '../../../shared/schemas/voice.ts';
import type { ConnectionRegistry } from '../connections/connection-registry.ts';
import type { JobStore } from '../jobs/job-store.ts';
import { hasEnded, type Job, type JobConnection, nameOf } from '../jobs/job.ts';
import type { SubmitJobs } from '../jobs/submit-jobs.ts';
import type { VoiceCatalogue } from '../voices/voice-catalogue.ts';
import { type DiskQueries, quickStatus, sourceOf } from './file-status.ts';

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

const ofSpeech = (then: SpeechSettings, voice: Voice, { language, ...changes }: RepeatChanges): SpeechSettings => ({
  voiceId: voice.id,
  // An empty one is the voice's own, as where a text is spoken for the first time.
  language: language === '' ? voice.language : (language ?? then.language),
  speed: changes.speed ?? then.speed,
  pitch: changes.pitch ?? then.pitch,
  engine: changes.engine ?? then.engine,
  platform: changes.platform ?? then.platform,
});

/** The job with this voice and what else is to be another. Speech has no original to lie beside: there a folder stays. */
export function withOverrides(job: Job, voice: Voice, changes: RepeatChanges): Job {
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
  readonly intake: Pick<SubmitJobs, 'again' | 'takeUpAgain'>;
  readonly connections: Pick<ConnectionRegistry, 'has' | 'get' | 'list'>;
  readonly voices: Pick<VoiceCatalogue, 'voice'>;
  readonly looks: DiskQueries;
  readonly platform: NodeJS.Platform;
}

interface Through extends JobConnection {
  readonly kind: ConnectionInfo['kind'];
  /** Another one than the entry was made through. */
  readonly isOther: boolean;
}

/**
 * The connection that is asked for, or that of then; both with the document of today. An entry of another computer knows its connection
 * by name only.
 */
function connectionOf(
  { connection }: Job,
  asked: string | undefined,
  connections: Dependencies['connections'],
): Through {
  const { name } = connection;
  const then = connections.has(connection.id) ? connection.id : connections.list().find((one) => one.name === name)?.id;
  const id = asked ?? then;
  if (id === undefined)
    throw new AppError('connection/not-found', `no connection ${name} any more`, { facts: { name } });
  const { kind, document } = connections.get(id);
  return { id, kind, name: document.name, document, isOther: id !== then };
}

/** What was set for one connection, as another takes it. */
const fitted = (job: Job, takes: Parameters<typeof fitSettings>[1]): Job =>
  job.kind === 'speech'
    ? { ...job, settings: fitSettings(job.settings, takes) }
    : { ...job, settings: fitSettings(job.settings, takes) };

const isVoiceGone = (error: unknown): error is AppError =>
  error instanceof AppError && (error.code === 'voice/not-found' || error.code === 'voice/missing');

/**
 * Gives the job that an entry of history makes again, which is not stored yet: its request as it was, except ids and what is to be
 * changed. A voice is asked for once, for however many entries.
 */
function createRequest(
  { store, connections, voices, looks, platform }: Omit<Dependencies, 'intake'>,
  changes: RepeatChanges,
): (id: string) => Promise<Job> {
  const asked = new Map<string, Promise<Voice>>();
  function offered(connectionId: string, id: string): Promise<Voice> {
    const key = JSON.stringify([connectionId, id]);
    const voice = asked.get(key) ?? voices.voice(connectionId, id);
    asked.set(key, voice);
    return voice;
  }

  async function voiceOf(job: Job, { id, isOther }: Through): Promise<Voice> {
    const { voiceId } = changes;
    if (voiceId !== undefined && voiceId !== job.voice.id) return offered(id, voiceId);
    try {
      const voice = await offered(id, job.settings.voiceId);
      if (isOther) return voice;
    } catch (error) {
      const { name } = job.voice;
      if (isVoiceGone(error)) throw new AppError(error.code, error.message, { cause: error, facts: { name } });
      // A service that cannot be asked says so when the job is its turn, if it knew the voice then.
      if (isOther || !(error instanceof AppError)) throw error;
    }
    return job.voice;
  }

  async function mustHaveSource(job: Job): Promise<void> {
    const source = sourceOf(job);
    if (!source) return;
    const look = await quickStatus(source, looks, platform);
    if (look !== 'missing' && look !== 'away') return;
    throw new AppError('input/missing', `${source.path} is ${look}`, { facts: { name: source.name } });
  }

  return async (id) => {
    const job = store.get(id);
    if (!job || !hasEnded(job)) throw new AppError('job/not-found', `no entry ${id}`);
    const through = connectionOf(job, changes.connectionId, connections);
    const voice = await voiceOf(job, through);
    await mustHaveSource(job);
    const { id: connectionId, kind, name, document, isOther } = through;
    const changed = withOverrides({ ...job, connection: { id: connectionId, name, document } }, voice, changes);
    return isOther ? fitted(changed, { kind, ...document.ranges }) : changed;
  };
}

/**
 * New jobs like entries of history. The connection must still be there and offer the voice; where nobody can be asked about one that
 * stays, it is taken at its word. Throws what the first of them met where none could be made: `connection/not-found`, `voice/not-found`,
 * `input/missing`, `job/not-found`.
 */
export async function repeatJobs(
  { intake, ...dependencies }: Dependencies,
  ids: readonly string[],
  changes: RepeatChanges = {},
): Promise<RepeatResult> {
  const request = createRequest(dependencies, changes);
  let added = 0;
  let first: (SkippedEntry & { readonly error: AppError }) | null = null;
  for (const id of ids) {
    try {
      intake.again(await request(id));
      added += 1;
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      const job = dependencies.store.get(id);
      first ??= { name: job ? (sourceOf(job)?.name ?? nameOf(job)) : null, problem: error.problem, error };
    }
  }
  if (added === 0 && first) throw first.error;
  return { added, left: ids.length - added, first: first && { name: first.name, problem: first.problem } };
}

/** The job of one entry again, for a command: what a command that was killed had asked for in the same way goes on. Throws as `repeatJobs`. */
export async function resumeOrRepeat(
  { intake, ...dependencies }: Dependencies,
  id: string,
  changes: RepeatChanges = {},
): Promise<Job> {
  const job = await createRequest(dependencies, changes)(id);
  return (await intake.takeUpAgain(job)) ?? intake.again(job);
}

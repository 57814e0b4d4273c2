import { timesOf } from '../../shared/text/hours.ts';
import { resolve } from 'node:path';
import { type Clock, systemClock, unlessAborted } from '../../main/core/clock.ts';
import { hasEnded } from '../../main/core/jobs/job.ts';
import type { Queue } from '../../main/core/jobs/queue.ts';
import { createBlockingPauseFinder } from '../../main/core/jobs/wait-for-jobs.ts';
import { type WatchedFileView, toWatchedState } from '../../main/core/watch/watched-state.ts';
import type { FolderView, Watch } from '../../main/core/watch/watch-service.ts';
import { toAppError } from '../../shared/errors.ts';
import { type CliMessages } from '../../shared/messages/cli.ts';
import { watchedFileTexts } from '../../shared/messages/index.ts';
import { watchedProblemSentence, problemText } from '../../shared/messages/problem-text.ts';
import { type ConnectionDocument, localConnectionId } from '../../shared/schemas/connection.ts';
import type { Pause } from '../../shared/schemas/job.ts';
import type { ConversionSettings, Settings } from '../../shared/schemas/settings.ts';
import type { Voice } from '../../shared/schemas/voice.ts';
import {
  defaultFolderSpeech,
  defaultWatchedExtensions,
  maxDailyMinutes,
  minDailyMinutes,
  type WatchedFileState,
  type WatchMode,
  type WatchPreview,
  type WatchSettings,
} from '../../shared/schemas/watch.ts';
import { type Hours, parseHours } from '../../shared/text/hours.ts';
import { type FlagSource, type Invocation, numberBetween, type Run, textFlag, textFlags } from '../args.ts';
import { damagedData, type ExitCode, exitCodeOf, exitCodes, sentence, usageError } from '../errors.ts';
import { checkVoice, prepareOutputFolders, resolveFolder, resolveVoice } from '../resolve-arguments.ts';
import { pauseReason, reportCopies } from '../run-jobs.ts';
import { runHooks } from '../run-hooks.ts';
import { openPresetSession, type PresetSession } from '../session.ts';
import { type GivenSpeaker, readSpeakers, resolveSpeakers } from '../speakers.ts';
import { assertSupported, conversionSettings, printPreviewFiles, readSettingsFlags } from './convert.ts';

/** The line about a watched file. `isBad` if the file needs attention. */
interface FileText {
  readonly state: WatchedFileState;
  readonly text: string;
  readonly isBad: boolean;
}

const toFileText = (state: WatchedFileState, text: string, isBad = false): FileText => ({ state, text, isBad });

/** Null for states that are temporary or need no report. */
function fileText(view: WatchedFileView, { allowance }: FolderView, messages: CliMessages): FileText | null {
  const { job, record } = view;
  const { format } = messages;
  const texts = watchedFileTexts(messages, record.path);
  const state = toWatchedState(view, { ...allowance, usedMinutes: Math.round(allowance.usedMinutes) });
  switch (state.kind) {
    case 'waiting':
      if (state.wait.kind === 'hours') return toFileText(state, texts.hours(timesOf(state.wait.hours)));
      return state.wait.kind === 'budget'
        ? toFileText(state, texts.budget({ used: state.wait.usedMinutes, limit: state.wait.limitMinutes }))
        : null;
    case 'job':
      if (!job || !hasEnded(job)) return null;
      if (job.state === 'done') return toFileText(state, `-> ${job.output?.path ?? ''}`);
      return toFileText(
        state,
        job.problem ? watchedProblemSentence(messages, job.problem) : messages.job.cancelled,
        true,
      );
    case 'retrying':
      return toFileText(
        state,
        format.sentences(
          format.sentence(problemText(messages, state.problem).title),
          texts.retryingNow({ n: state.failures }),
        ),
        true,
      );
    case 'quarantined':
    case 'refused':
    case 'source-stays':
      return toFileText(state, watchedProblemSentence(messages, state.problem), true);
    case 'same-sound':
      return toFileText(state, texts.sameSound({ name: state.as }));
    case 'other-settings':
      return toFileText(state, texts.otherSettings);
    case 'own-output':
    case 'baseline':
    case 'link':
    case 'placeholder':
      return null;
  }
}

interface FollowOptions {
  readonly watch: Watch;
  readonly queue: Pick<Queue, 'store' | 'breaker'>;
  readonly id: string;
  /** Display name of the connection. */
  readonly name: string;
  /** True if the command does not wait for a folder that it cannot watch. */
  readonly isOnce: boolean;
  now(): number;
}

/** True if nothing in the folder is looked at. */
const isAway = (mode: WatchMode): boolean => mode === 'offline' || mode === 'elsewhere';

/** Reports what happens in a folder, each thing once. */
interface FolderReporter {
  /** Reports all files that need attention, including those without a recent event. */
  reportAttention(): void;
  end(): void;
}

function followFolder(
  { watch, queue, id, name, isOnce, now }: FollowOptions,
  { output, messages }: Pick<Invocation, 'output' | 'messages'>,
): FolderReporter {
  const reported = new Map<string, string>();

  function isNew(key: string, text: string): boolean {
    if (reported.get(key) === text) return false;
    reported.set(key, text);
    return true;
  }

  function reportFile(path: string): void {
    const view = watch.findFile(id, path);
    if (!view) return;
    const { job } = view;
    if (job && hasEnded(job)) queue.store.acknowledge([job.id]);
    const line = fileText(view, watch.getFolder(id), messages);
    if (!line || !isNew(`file ${path}`, `${job?.id ?? ''} ${line.text}`)) return;
    if (line.isBad) output.error(`${path}: ${line.text}`);
    else output.report(`${path} ${line.text}`);
    output.event({
      event: 'file',
      path,
      state: line.state.kind === 'job' ? (job?.state ?? 'done') : line.state.kind,
      output: job?.state === 'done' ? (job.output?.path ?? null) : null,
      message: line.text,
    });
  }

  function reportFolder(): void {
    const { mode, problems, everySeconds } = watch.getFolder(id);
    const summary = [mode, ...problems.map((problem) => sentence(messages, problem))].join(' ');
    if (!isNew('folder', summary)) return;
    // Otherwise it is what ends the command.
    if (!isOnce || !isAway(mode)) for (const problem of problems) output.error(sentence(messages, problem));
    output.event({ event: 'folder', mode, everySeconds, problems: problems.map(({ code }) => code) });
  }

  function reportPauses(pauses: readonly Pause[]): void {
    const { connectionId: own } = watch.getFolder(id).folder.settings;
    const ours = pauses.filter(({ connectionId }) => connectionId === null || connectionId === own);
    // The command ends with damage.
    const lasting = ours.filter(({ problem }) => problem?.code !== 'data/damaged');
    const texts = lasting.map((pause) => pauseReason(pause, name, messages, now()));
    for (const text of texts) if (isNew(`pause ${text}`, text)) output.error(text);
    for (const key of [...reported.keys()]) {
      if (key.startsWith('pause ') && !texts.includes(key.slice('pause '.length))) reported.delete(key);
    }
  }

  const unsubscribers = [
    watch.onFile((file) => {
      if (file.id === id) reportFile(file.path);
    }),
    watch.onFolder((changed) => {
      if (changed === id) reportFolder();
    }),
    queue.breaker.onChanged(reportPauses),
  ];
  reportFolder();
  return {
    reportAttention() {
      const { attention } = watch.getFolder(id).counts;
      for (const { record } of watch.listFiles(id, null, 'attention', attention)) reportFile(record.path);
    },
    end: () => unsubscribers.forEach((end) => end()),
  };
}

/** The part of the day of `--hours`; null for all of it. */
function hoursFlag(source: FlagSource): Hours | null {
  const given = textFlag(source.flags, 'hours');
  if (given === undefined) return null;
  const hours = parseHours(given);
  if (!hours) throw usageError(source.messages.cli.usage.hours({ given }));
  return hours;
}

/** Settings of the watched folder, from its path, the flags, the preset and the app's settings. */
const readFolder = (
  path: string,
  { connectionId, preset }: PresetSession<'conversion'>,
  given: Partial<ConversionSettings>,
  { ranges }: Pick<ConnectionDocument, 'ranges'>,
  source: FlagSource & { readonly settings: Pick<Settings, 'outputFolder'> },
): WatchSettings => {
  const out = textFlag(source.flags, 'out') ?? source.settings.outputFolder;
  const speaksTexts = source.flags['speak-texts'] === true || textFlags(source.flags, 'speaker').length > 0;
  return {
    path,
    isRecursive: source.flags['subfolders'] !== false,
    endings: defaultWatchedExtensions,
    connectionId,
    conversion: conversionSettings(given, preset),
    outputFolder: out === null ? null : resolve(out),
    afterwards: source.flags['move-done'] === true ? 'done' : 'keep',
    dailyMinutes: numberBetween(source, 'minutes-a-day', minDailyMinutes, maxDailyMinutes) ?? null,
    hours: hoursFlag(source),
    hasSubfolderVoices: source.flags['subfolder-voices'] === true && source.flags['subfolders'] !== false,
    // Pitch and speed given as flags are relative to a recording, and a text has none.
    speech: speaksTexts ? defaultFolderSpeech(ranges) : null,
    runsHook: source.flags['hook'] !== false,
  };
};

const withVoice = ({ conversion, ...settings }: WatchSettings, { id: voiceId }: Voice): WatchSettings => ({
  ...settings,
  conversion: { ...conversion, voiceId },
});

/** The settings with the speakers given as flags, and the languages of their voices. Throws `voice/not-found`. */
async function withSpeakers(
  { speech, ...settings }: WatchSettings,
  given: readonly GivenSpeaker[],
  session: PresetSession<'conversion'>,
  invocation: Invocation,
): Promise<WatchSettings> {
  const named = await resolveSpeakers(given, session, invocation);
  if (speech === null || named.length === 0) return { ...settings, speech };
  const { withLanguages } = await import('../../main/core/speech/spoken-passages.ts');
  const findVoice = (id: string) => session.core.voices.get(session.connectionId, id);
  const speakers = await withLanguages(named, { language: '', usual: '' }, findVoice);
  return { ...settings, speech: { ...speech, speakers } };
}

interface IdleOptions {
  readonly watch: Watch;
  readonly queue: Pick<Queue, 'breaker' | 'writes' | 'scheduler'>;
  readonly id: string;
  readonly connectionId: string;
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

const pollMs = 200;

/**
 * Resolves with null once the folder was scanned and only files over the daily budget, or outside the hours, are left, or with the pause
 * that blocks the rest. Throws the folder's problem if it is offline or watched by another process.
 */
async function untilIdle({ watch, queue, id, connectionId, clock, signal }: IdleOptions): Promise<Pause | null> {
  const findBlockingPause = createBlockingPauseFinder({ ...queue, clock });
  for (;;) {
    const { mode, problems, checkedAt, counts } = watch.getFolder(id);
    const [problem] = problems;
    if (isAway(mode) && problem) {
      throw toAppError({ ...problem, message: 'the folder is not watched' });
    }
    if (checkedAt !== null && counts.incoming <= counts.overBudget && watch.isIdle()) return null;
    const pause = findBlockingPause((one) => one === connectionId);
    if (pause) return pause;
    await clock.sleep(pollMs, signal);
  }
}

function printPreview(preview: WatchPreview, { output, messages }: Invocation): ExitCode {
  printPreviewFiles(preview.files, preview, { output, messages }, watchedProblemSentence);
  if (preview.ignored > 0) output.print(messages.cli.watch.skipped({ n: preview.ignored }));
  output.event({ event: 'preview', ...preview });
  return exitCodes.done;
}

/** Settles like `work`, but rejects once Timbre's data is damaged, as no waiting mends that. */
async function unlessDamaged<T>(
  work: Promise<T>,
  { writes }: Pick<Queue, 'writes'>,
  { dataFolder, messages }: Pick<Invocation, 'dataFolder' | 'messages'>,
): Promise<T> {
  const damage = Promise.withResolvers<never>();
  const check = () => {
    if (writes.isDamaged()) damage.reject(damagedData(dataFolder, messages.cli));
  };
  const unsubscribe = writes.onChanged(check);
  check();
  try {
    return await Promise.race([work, damage.promise]);
  } finally {
    unsubscribe();
  }
}

/** A longer wait is explained to the user. */
const slowNoticeMs = 500;

/** Lets running steps finish, above all paid ones, before the command ends. */
async function finish(queue: Queue, invocation: Invocation): Promise<void> {
  const { messages, reportWait } = invocation;
  const slow = setTimeout(() => reportWait(messages.cli.finishing), slowNoticeMs);
  try {
    await unlessDamaged(queue.scheduler.drain(), queue, invocation);
  } finally {
    clearTimeout(slow);
    reportWait(null);
  }
}

export const watch: Run = async (invocation) => {
  const { args, flags, output, messages, signal } = invocation;
  const path = await resolveFolder(args[0] ?? '', invocation);
  const given = readSettingsFlags(invocation);
  const speakers = readSpeakers(invocation);
  const session = await openPresetSession(invocation, 'conversion');
  const { core, connectionId, name } = session;
  try {
    const { document } = core.connections.get(connectionId);
    const planned = readFolder(path, session, given, document, invocation);
    assertSupported(planned.conversion, document, connectionId === localConnectionId, invocation, name);
    const { watch, queue } = await core.data();
    if (flags['dry-run'] === true) {
      const voice = await checkVoice(session, planned.conversion.voiceId, invocation);
      for (const speaker of speakers) await checkVoice(session, speaker.voice, invocation);
      const chosen = voice ? withVoice(planned, voice) : planned;
      return printPreview(await unlessAborted(watch.preview(chosen), signal), invocation);
    }
    await prepareOutputFolders([planned.outputFolder ?? path], invocation);
    const voice = await resolveVoice(session, planned.conversion.voiceId, invocation);
    const settings = await withSpeakers(withVoice(planned, voice), speakers, session, invocation);
    // A new command is a new attempt: the cause of an old pause may be gone.
    queue.scheduler.resume(connectionId);
    queue.scheduler.resume(null);
    const finishHooks = await runHooks(core, invocation);
    const finishCopies = await reportCopies(core, invocation);
    queue.scheduler.start();
    const { folder: watched } = await watch.run(settings, voice, flags['only-new'] === true ? 'leave' : 'convert');
    const { id } = watched;
    const isOnce = flags['once'] === true;
    const reporter = followFolder({ watch, queue, id, name, isOnce, now: systemClock.now }, invocation);
    try {
      if (!isOnce) {
        output.info(messages.cli.watch.watching({ folder: settings.path }));
        const aborted = new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
        await unlessDamaged(aborted, queue, invocation);
        await finish(queue, invocation);
        return exitCodes.done;
      }
      const idle = untilIdle({ watch, queue, id, connectionId, clock: systemClock, signal });
      const pause = await unlessDamaged(idle, queue, invocation);
      await finishHooks();
      await finishCopies();
      reporter.reportAttention();
      const { attention } = watch.getFolder(id).counts;
      if (pause) output.error(messages.cli.runAgain);
      output.event({ event: 'result', attention, pause: pause?.reason ?? null });
      if (pause) return pause.problem ? exitCodeOf(pause.problem.code) : exitCodes.other;
      return attention > 0 ? exitCodes.other : exitCodes.done;
    } catch (error) {
      if (!signal.aborted) throw error;
      await finish(queue, invocation);
      return exitCodes.done;
    } finally {
      reporter.end();
    }
  } finally {
    await core.stop();
  }
};

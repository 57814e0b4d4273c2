import { resolve } from 'node:path';
import { type Clock, systemClock, unlessAborted } from '../../main/core/clock.ts';
import { localConnectionId } from '../../main/core/connections/local-engine.ts';
import { hasEnded } from '../../main/core/jobs/job.ts';
import { createPatience, type Queue } from '../../main/core/jobs/queue.ts';
import { type WatchedFileView, toWatchedState } from '../../main/core/watch/decisions.ts';
import type { FolderView, Watch } from '../../main/core/watch/watch-service.ts';
import { errorFrom } from '../../shared/errors.ts';
import { type Messages, problemText } from '../../shared/messages/index.ts';
import type { Pause } from '../../shared/schemas/job.ts';
import type { Settings } from '../../shared/schemas/settings.ts';
import {
  watchedEndings,
  type WatchedState,
  type WatchPreview,
  type WatchSettings,
} from '../../shared/schemas/watch.ts';
import { type FlagSource, type Invocation, positiveNumber, type Run, text } from '../args.ts';
import { type ExitCode, exitCodeOf, exitCodes, sentence } from '../errors.ts';
import { mustSaveIn, namedFolder, wantedVoice } from '../preflight.ts';
import { pauseReason } from '../run-jobs.ts';
import { openSession } from '../session.ts';
import { mustBeTaken, readSettings, sayFiles } from './convert.ts';

/** What a person at a terminal, or in a log, is told of a file: each thing once. `isBad` is something to look at. */
interface ToldFile {
  readonly state: WatchedState;
  readonly text: string;
  readonly isBad: boolean;
}

const told = (state: WatchedState, text: string, isBad = false): ToldFile => ({ state, text, isBad });

/** Null for what passes by itself in a moment. */
function fileLine(view: WatchedFileView, { folder, minutesToday }: FolderView, messages: Messages): ToldFile | null {
  const { job } = view;
  const { file: words } = messages.watch;
  const limitMinutes = folder.settings.dailyMinutes ?? 0;
  const state = toWatchedState(view, { usedMinutes: Math.round(minutesToday), limitMinutes });
  switch (state.kind) {
    case 'waiting':
      return state.wait.kind === 'budget'
        ? told(state, words.budget(state.wait.usedMinutes, state.wait.limitMinutes))
        : null;
    case 'job':
      if (!job || !hasEnded(job)) return null;
      if (job.state === 'done') return told(state, `-> ${job.output?.path ?? ''}`);
      return told(state, job.problem ? sentence(messages, job.problem) : messages.job.cancelled, true);
    case 'retrying':
      return told(
        state,
        `${problemText(messages, state.problem).title}. ${words.retrying(null, state.failures)}`,
        true,
      );
    case 'quarantined':
    case 'refused':
    case 'source-stays':
      return told(state, sentence(messages, state.problem), true);
    case 'same-sound':
      return told(state, words.sameSound(state.as));
    case 'other-settings':
      return told(state, words.otherSettings);
    case 'own-output':
    case 'before':
    case 'link':
    case 'placeholder':
      return null;
  }
}

interface Followed {
  readonly watch: Watch;
  readonly queue: Pick<Queue, 'store' | 'breaker'>;
  readonly id: string;
  /** As people call the connection. */
  readonly name: string;
  now(): number;
}

/** Tells what happens in a folder, each thing once. */
interface Following {
  /** Names the files that need a person, also those of which nothing happened. */
  nameBad(): void;
  end(): void;
}

function followFolder(
  { watch, queue, id, name, now }: Followed,
  { output, messages }: Pick<Invocation, 'output' | 'messages'>,
): Following {
  const told = new Map<string, string>();

  function isNew(about: string, text: string): boolean {
    if (told.get(about) === text) return false;
    told.set(about, text);
    return true;
  }

  function tellFile(path: string): void {
    const view = watch.findFile(id, path);
    if (!view) return;
    const { job } = view;
    if (job && hasEnded(job)) queue.store.acknowledge([job.id]);
    const line = fileLine(view, watch.getFolder(id), messages);
    if (!line || !isNew(`file ${path}`, `${job?.id ?? ''} ${line.text}`)) return;
    if (line.isBad) output.complain(`${path}: ${line.text}`);
    else output.report(`${path} ${line.text}`);
    output.event({
      event: 'file',
      path,
      state: line.state.kind === 'job' ? (job?.state ?? 'done') : line.state.kind,
      output: job?.state === 'done' ? (job.output?.path ?? null) : null,
      message: line.text,
    });
  }

  function tellFolder(): void {
    const { mode, problems, everySeconds } = watch.getFolder(id);
    const words = [mode, ...problems.map((problem) => sentence(messages, problem))].join(' ');
    if (!isNew('folder', words)) return;
    for (const problem of problems) output.complain(sentence(messages, problem));
    output.event({ event: 'folder', mode, everySeconds, problems: problems.map(({ code }) => code) });
  }

  function tellPauses(pauses: readonly Pause[]): void {
    const texts = pauses.map((pause) => pauseReason(pause, name, messages, now()));
    for (const text of texts) if (isNew(`pause ${text}`, text)) output.complain(text);
    for (const about of [...told.keys()]) {
      if (about.startsWith('pause ') && !texts.includes(about.slice('pause '.length))) told.delete(about);
    }
  }

  const ends = [
    watch.onFile((file) => {
      if (file.id === id) tellFile(file.path);
    }),
    watch.onFolder((changed) => {
      if (changed === id) tellFolder();
    }),
    queue.breaker.onChanged(tellPauses),
  ];
  tellFolder();
  return {
    nameBad() {
      const { attention } = watch.getFolder(id).counts;
      for (const { record } of watch.listFiles(id, null, 'attention', attention)) tellFile(record.path);
    },
    end: () => ends.forEach((end) => end()),
  };
}

/** The folder that a command watches, from its path, flags and the app's settings. */
const readFolder = (
  path: string,
  connectionId: string,
  asked: FlagSource & { readonly settings: Pick<Settings, 'outputFolder'> },
): WatchSettings => {
  const out = text(asked.flags, 'out') ?? asked.settings.outputFolder;
  return {
    path,
    isRecursive: asked.flags['subfolders'] !== false,
    endings: watchedEndings,
    connectionId,
    conversion: readSettings(asked),
    outputFolder: out === null ? null : resolve(out),
    afterwards: asked.flags['move-done'] === true ? 'done' : 'keep',
    dailyMinutes: positiveNumber(asked, 'minutes-a-day') ?? null,
  };
};

interface Waited {
  readonly watch: Watch;
  readonly queue: Pick<Queue, 'breaker' | 'writes'>;
  readonly id: string;
  readonly connectionId: string;
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

const lookMs = 200;

/**
 * Resolves with null when the folder was looked over and nothing in it is under way but what waits for another day; with the pause
 * where nothing goes on by itself for a while. Throws why the folder can't be looked at.
 */
async function untilIdle({ watch, queue, id, connectionId, clock, signal }: Waited): Promise<Pause | null> {
  const findHopeless = createPatience({ ...queue, clock });
  for (;;) {
    const { mode, problems, checkedAt, counts } = watch.getFolder(id);
    const [problem] = problems;
    if (mode === 'offline' && problem) throw errorFrom({ ...problem, message: 'the folder is away' });
    if (checkedAt !== null && counts.incoming <= counts.overBudget && watch.isIdle()) return null;
    const pause = findHopeless((one) => one === connectionId);
    if (pause) return pause;
    await clock.sleep(lookMs, signal);
  }
}

function sayPreview(preview: WatchPreview, { output, messages }: Invocation): ExitCode {
  sayFiles(preview.files, preview, { output, messages });
  if (preview.passedOver > 0) output.say(messages.cli.watch.passedOver(preview.passedOver));
  output.event({ event: 'preview', ...preview });
  return exitCodes.done;
}

/** Longer than this nobody waits without a word. */
const slowMs = 500;

/** Whoever told it to end gets a clean end: the step that is under way, above all a paid one, is not cut off. */
async function finish({ scheduler }: Queue, { messages, waitsFor }: Invocation): Promise<void> {
  const slow = setTimeout(() => waitsFor(messages.cli.finishing), slowMs);
  await scheduler.drain();
  clearTimeout(slow);
  waitsFor(null);
}

export const watch: Run = async (invocation) => {
  const { words, flags, output, messages, signal } = invocation;
  const path = await namedFolder(words[0] ?? '', invocation);
  const session = await openSession(invocation);
  const { core, connectionId, name } = session;
  try {
    const settings = readFolder(path, connectionId, invocation);
    const { document } = core.connections.get(connectionId);
    mustBeTaken(settings.conversion, document, connectionId === localConnectionId, invocation, name);
    const { watch, queue } = await core.data();
    if (flags['dry-run'] === true) {
      return sayPreview(await unlessAborted(watch.preview(settings), signal), invocation);
    }
    await mustSaveIn([settings.outputFolder ?? path], invocation);
    const voice = await wantedVoice(session, settings.conversion.voiceId, invocation);
    // A new command is a new try: what held the last one up may be over.
    queue.scheduler.resume(connectionId);
    queue.scheduler.resume(null);
    queue.scheduler.start();
    const { folder: watched } = await watch.run(settings, voice, flags['only-new'] === true ? 'leave' : 'convert');
    const { id } = watched;
    const following = followFolder({ watch, queue, id, name, now: systemClock.now }, invocation);
    try {
      if (flags['once'] !== true) {
        output.remark(messages.cli.watch.watching(settings.path));
        await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
        await finish(queue, invocation);
        return exitCodes.done;
      }
      const pause = await untilIdle({ watch, queue, id, connectionId, clock: systemClock, signal });
      following.nameBad();
      const { attention } = watch.getFolder(id).counts;
      if (pause) output.complain(messages.cli.runAgain);
      output.event({ event: 'result', attention, pause: pause?.reason ?? null });
      if (pause) return pause.problem ? exitCodeOf(pause.problem.code) : exitCodes.other;
      return attention > 0 ? exitCodes.other : exitCodes.done;
    } catch (error) {
      if (!signal.aborted) throw error;
      await finish(queue, invocation);
      return exitCodes.done;
    } finally {
      following.end();
    }
  } finally {
    await core.stop();
  }
};

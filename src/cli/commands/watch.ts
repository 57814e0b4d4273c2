import { systemClock } from '../../main/core/clock.ts';
import { unlessAborted } from '../../main/core/unless-aborted.ts';
import type { WatchPreview } from '../../shared/wire/watch.ts';
import type { Command, Invocation } from '../command.ts';
import { conversionFlags } from '../convert/read-settings.ts';
import { exitCodeOf, exitCodes, type ExitCode } from '../exit-code.ts';
import { sentence } from '../sentence.ts';
import { openSession } from '../session.ts';
import { usageError } from '../usage-error.ts';
import { followFolder } from '../watch/follow-folder.ts';
import { readFolder } from '../watch/read-folder.ts';
import { untilIdle } from '../watch/until-idle.ts';

function sayPreview(preview: WatchPreview, { output, messages }: Invocation): ExitCode {
  const { format, watch, cli } = messages;
  for (const { path, seconds, problem } of preview.files) {
    if (problem) output.complain(`${path}: ${sentence(messages, problem)}`);
    else output.say(`${path}  ${seconds === null ? '?' : format.length(seconds)}`);
  }
  if (preview.count === 0) output.say(watch.preview.none);
  else output.say(cli.watch.wouldConvert(preview.count, preview.seconds));
  if (preview.passedOver > 0) output.say(cli.watch.passedOver(preview.passedOver));
  output.event({ event: 'preview', ...preview });
  return exitCodes.done;
}

async function run(invocation: Invocation): Promise<ExitCode> {
  const { words, flags, output, messages, signal } = invocation;
  const [folder, ...others] = words;
  if (folder === undefined || others.length > 0) throw usageError(messages.cli.usage.nameFolder);
  const session = await openSession(invocation);
  const { core, connectionId, name } = session;
  try {
    const settings = readFolder(folder, connectionId, invocation);
    const { watch, queue } = await core.data();
    if (flags['dry-run'] === true) {
      return sayPreview(await unlessAborted(watch.preview(settings), signal), invocation);
    }
    const voice = await unlessAborted(core.voices.voice(connectionId, settings.conversion.voiceId), signal);
    // A new command is a new try: what held the last one up may be over.
    queue.runner.resume(connectionId);
    queue.runner.resume(null);
    queue.runner.start();
    const { folder: watched } = await watch.run(settings, voice, flags['only-new'] === true ? 'leave' : 'convert');
    const { id } = watched;
    const following = followFolder({ watch, queue, id, name, now: systemClock.now }, invocation);
    try {
      if (flags['once'] !== true) {
        output.complain(messages.cli.watch.watching(settings.path));
        await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
        // Whoever told it to end gets a clean end: the step that is under way, above all a paid one, is not cut off.
        await queue.runner.finishSteps();
        return exitCodes.done;
      }
      const pause = await untilIdle({ watch, queue, id, connectionId, clock: systemClock, signal });
      following.nameBad();
      const { attention } = watch.folder(id).counts;
      if (pause) output.complain(messages.cli.runAgain);
      output.event({ event: 'result', attention, pause: pause?.reason ?? null });
      if (pause) return pause.problem ? exitCodeOf(pause.problem.code) : exitCodes.other;
      return attention > 0 ? exitCodes.other : exitCodes.done;
    } catch (error) {
      if (!signal.aborted) throw error;
      await queue.runner.finishSteps();
      return exitCodes.done;
    } finally {
      following.end();
    }
  } finally {
    await core.stop();
  }
}

export const watch: Command = {
  usage: ['timbre watch DIR --voice ID [--out DIR] [--once] [--dry-run] [--only-new] [--minutes-a-day N]'],
  purpose: ({ cli }) => cli.help.watch,
  options: {
    ...conversionFlags,
    out: { type: 'string' },
    once: { type: 'boolean' },
    'dry-run': { type: 'boolean' },
    'only-new': { type: 'boolean' },
    subfolders: { type: 'boolean' },
    'move-done': { type: 'boolean' },
    'minutes-a-day': { type: 'string' },
  },
  run,
};

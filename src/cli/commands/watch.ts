import { systemClock, unlessAborted } from '../../main/core/clock.ts';
import { localConnectionId } from '../../main/core/connections/local-engine.ts';
import type { Queue } from '../../main/core/jobs/queue.ts';
import type { WatchPreview } from '../../shared/schemas/watch.ts';
import { mustSaveIn, namedFolder, wantedVoice } from '../check-first.ts';
import type { Invocation, Run } from '../command.ts';
import { sayFiles } from '../convert/preview.ts';
import { mustBeTaken } from '../convert/read-settings.ts';
import { exitCodeOf, exitCodes, type ExitCode } from '../exit-code.ts';
import { openSession } from '../session.ts';
import { followFolder } from '../watch/follow-folder.ts';
import { readFolder } from '../watch/read-folder.ts';
import { untilIdle } from '../watch/until-idle.ts';

function sayPreview(preview: WatchPreview, { output, messages }: Invocation): ExitCode {
  sayFiles(preview.files, preview, { output, messages });
  if (preview.passedOver > 0) output.say(messages.cli.watch.passedOver(preview.passedOver));
  output.event({ event: 'preview', ...preview });
  return exitCodes.done;
}

/** Longer than this nobody waits without a word. */
const slowMs = 500;

/** Whoever told it to end gets a clean end: the step that is under way, above all a paid one, is not cut off. */
async function finish({ runner }: Queue, { messages, waitsFor }: Invocation): Promise<void> {
  const slow = setTimeout(() => waitsFor(messages.cli.finishing), slowMs);
  await runner.finishSteps();
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
    queue.runner.resume(connectionId);
    queue.runner.resume(null);
    queue.runner.start();
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
      const { attention } = watch.folder(id).counts;
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

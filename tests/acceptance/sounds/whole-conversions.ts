// Fails when a recording that was accepted is not decoded, or its result has another length.
import { readdir } from 'node:fs/promises';
import { decodeSound } from '../../../src/sound/decode-sound.ts';
import { inspectSound } from '../../../src/sound/inspect-sound.ts';
import { frameCount } from '../../../src/sound/pcm-block.ts';
import { openCase } from '../support/queue/open-case.ts';
import { Failed, must, type Scenario } from '../support/scenario.ts';
import { realRecordings, someOf } from '../support/sounds/real-recordings.ts';

const leastRight = 0.995;
/** So many have to be done within the time that a case waits. */
const together = 4;
const formats = ['.wav', '.mp3', '.flac', '.ogg'] as const;

async function decodedSeconds(path: string): Promise<number> {
  let frames = 0;
  let rate = 1;
  for await (const { channels, sampleRate } of decodeSound(path)) {
    frames += frameCount(channels);
    rate = sampleRate;
  }
  return frames / rate;
}

export const scenario: Scenario = {
  id: 'R3',
  title: 'accepted real recordings are decoded to their end and converted to their length',
  deadlineMs: 900_000,
  fullDeadlineMs: 3_600_000,
  async run(context) {
    const real = await realRecordings(context, 520);
    if ('skipped' in real) return real.skipped;
    const files = context.full ? real.files : someOf(real.files, 60);
    const wrong: string[] = [];
    for (const { name, path, seconds } of files) {
      const decoded = await decodedSeconds(path).catch((error: unknown) => {
        throw new Failed(`${name} was accepted and is not decoded: ${String(error)}`);
      });
      if (Math.abs(decoded - seconds) > Math.max(0.05, 0.005 * seconds))
        wrong.push(`${name}: ${decoded} for ${seconds}`);
    }
    must(wrong.length <= (1 - leastRight) * files.length, `${wrong.length} of ${files.length}: ${wrong.join(', ')}`);

    const engine = await context.startEngine();
    const convert = await openCase(context, engine, {
      name: 'convert',
      maxConcurrent: 2,
      timeouts: { convertMs: 120_000 },
    });
    convert.scheduler.start();
    const short = someOf(
      real.files.filter(({ seconds }) => seconds > 0.3 && seconds < context.size(2, 30)),
      context.size(24, 60),
    );
    const off: string[] = [];
    for (let at = 0; at < short.length; at += together) {
      const batch = short.slice(at, at + together);
      const format = formats[(at / together) % formats.length] ?? '.wav';
      context.note(`converting ${at + 1} to ${at + batch.length} of ${short.length}`);
      const ids = await convert.convert(
        batch.map(({ path }) => path),
        { format },
      );
      const jobs = await convert.ended(ids);
      for (const [k, { name, seconds }] of batch.entries()) {
        const job = jobs[k];
        if (job?.state !== 'done') throw new Failed(`${name} is ${job?.state ?? ''} ${job?.problem?.code ?? ''}`);
        const found = await inspectSound(job.output?.path ?? '');
        const actualSeconds = found.kind === 'sound' ? (found.durationSeconds ?? 0) : 0;
        if (Math.abs(actualSeconds - seconds) > 0.02 * seconds + 0.06)
          off.push(`${name}: ${actualSeconds} for ${seconds}`);
      }
    }
    must(off.length === 0, `results of another length: ${off.join(', ')}`);
    const results = await readdir(convert.outputFolder);
    await convert.close();
    return {
      decoded: files.length,
      wrong: wrong.join(', ') || 'none',
      converted: short.length,
      results: results.length,
    };
  },
};

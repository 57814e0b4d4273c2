// Fails when a recording that plays everywhere is refused.
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { inspectAndVerify } from '../../../src/sound/sound-inspector.ts';
import { must, type Scenario } from '../support/scenario.ts';
import { ffmpeg, mapSome, realRecordings, someOf } from '../support/sounds/real-recordings.ts';

const leastAccepted = 0.995;
const leastOfPackage = 0.95;
const made = ['mp3', 'm4a', 'mp4', 'aac', 'opus', 'webm', 'aiff', 'caf'];

export const scenario: Scenario = {
  id: 'R1',
  title: 'playable recordings of many packages, and ffmpeg’s versions of them, are accepted',
  deadlineMs: 900_000,
  fullDeadlineMs: 3_600_000,
  async run(context) {
    const real = await realRecordings(context, 520);
    if ('skipped' in real) return real.skipped;
    const folder = join(context.folder, 'made');
    await mkdir(folder);
    const sources = someOf(real.files, context.size(16, 400));
    const others = await mapSome([...sources.entries()], async ([at, { path }]) => {
      const ending = made[at % made.length] ?? 'mp3';
      const to = join(folder, `${at}.${ending}`);
      // MP3 and AAC know no more than 48 kHz, Opus no other.
      await ffmpeg('-i', path, '-ar', '48000', '-ac', '2', to);
      return { name: `made ${at}.${ending}`, path: to, package: `made ${ending}` };
    });
    const counts = new Map<string, { all: number; accepted: number }>();
    const refused: string[] = [];
    for (const { name, path, package: from } of [...real.files, ...others]) {
      const count = counts.get(from) ?? { all: 0, accepted: 0 };
      counts.set(from, count);
      count.all += 1;
      const found = await inspectAndVerify(path);
      if (found.kind === 'sound') count.accepted += 1;
      else refused.push(`${name}: ${found.code}`);
    }
    const all = [...counts.values()].reduce((sum, count) => sum + count.all, 0);
    const share = 1 - refused.length / all;
    must(share >= leastAccepted, `${refused.length} of ${all} are refused: ${refused.slice(0, 20).join(', ')}`);
    for (const [name, count] of counts) {
      must(
        count.accepted >= leastOfPackage * count.all,
        `${name}: only ${count.accepted} of ${count.all} are accepted`,
      );
    }
    return {
      packages: counts.size - made.length,
      files: all,
      accepted: all - refused.length,
      refused: refused.join(', ') || 'none',
    };
  },
};

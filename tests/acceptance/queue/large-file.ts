// Fails when memory grows with the recording, or when progress ever goes back.
import { open, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { startTestService } from '../../faults/test-service.ts';
import type { QueueFigures, QueueOrder } from '../support/queue/queue-order.ts';
import { spawnQueue } from '../support/queue/spawn-queue.ts';
import { wavHeader } from '../support/queue/wav-header.ts';
import { soundOf } from '../support/queue/whimsical-service.ts';
import { must, type Scenario, type ScenarioContext } from '../support/scenario.ts';

const mebibyte = 1024 ** 2;
const smallBytes = 200 * mebibyte;
const mostGrowth = 96 * mebibyte;
/** The larger of the two: a tenth of little is less than one step of the collector. */
const slackPart = 0.1;
const slackBytes = 10 * mebibyte;
const mostTries = 3;
const toMiB = (bytes: number): number => Math.round(bytes / mebibyte);

/** As long as it says, and empty on the disk. */
async function writeSparse(path: string, bytes: number): Promise<void> {
  const header = wavHeader(bytes - 44);
  const file = await open(path, 'w');
  await file.write(header);
  await file.truncate(bytes);
  await file.close();
}

/** Takes uploads of any size and keeps nothing. */
async function startSink({ onEnd }: ScenarioContext) {
  let received = 0;
  const sink = await startTestService((request, response, origin) => {
    const { url = '' } = request;
    const json = (body: unknown) => response.setHeader('content-type', 'application/json').end(JSON.stringify(body));
    if (url.includes('/results/')) {
      response.end(soundOf('sink'));
      return;
    }
    request.on('data', (chunk: Buffer) => (received += chunk.length));
    request.on('end', () => {
      if (url.includes('create')) json({ taskId: 'sink' });
      else if (url.includes('upload')) json({ uuid: 'sink' });
      else json({ status: 'success', data: { audioUrl: `${origin}/results/sink/sound.wav` } });
    });
  });
  onEnd(sink.stop);
  return { origin: sink.origin, received: () => received };
}

async function upload(context: ScenarioContext, bytes: number, nth = 1): Promise<QueueFigures> {
  const name = `${toMiB(bytes)} MiB, ${nth}`;
  context.note(name);
  const sink = await startSink(context);
  const proxy = await context.startProxy({ target: sink.origin });
  const source = join(context.folder, `${name}.wav`);
  await writeSparse(source, bytes);
  const file = join(context.folder, `${name}.json`);
  await writeFile(file, JSON.stringify(proxy.document()));
  const order: QueueOrder = {
    dataFolder: join(context.folder, `${name} data`),
    outputFolder: join(context.folder, `${name} out`),
    remote: { file, token: 'secret' },
    sources: [source],
    texts: [],
    crash: null,
    stays: true,
    measures: true,
  };
  const queue = spawnQueue(context, order, []);
  const figures = await queue.figures;
  await queue.leave();
  must(sink.received() > bytes, `${name}: only ${sink.received()} bytes arrived`);
  must(figures.isMonotone, `${name}: progress went back`);
  must(figures.progressNews > 100, `${name}: only ${figures.progressNews} news of progress`);
  return figures;
}

const growthOf = ({ startBytes, peakBytes }: QueueFigures): number => peakBytes - startBytes;

export const scenario: Scenario = {
  id: 'Q13',
  title: 'a very large recording is streamed in as little memory as a small one',
  async run(context) {
    // Just above 2 GiB, because sizes just below mean an unknown size in a WAV file.
    const bytes = context.size(300 * mebibyte, 2049 * mebibyte);
    let small = growthOf(await upload(context, smallBytes));
    const most = () => Math.min(mostGrowth, small + Math.max(slackBytes, slackPart * small));
    let large = growthOf(await upload(context, bytes));
    // When a busy machine collects garbage late, either one grows for once: what grows with the recording does so each time.
    for (let nth = 2; nth <= mostTries && large > most(); nth += 1) {
      small = Math.max(small, growthOf(await upload(context, smallBytes, nth)));
      large = Math.min(large, growthOf(await upload(context, bytes, nth)));
    }
    must(
      large <= most(),
      `memory grew by ${toMiB(large)} MiB, and by ${toMiB(small)} MiB for ${toMiB(smallBytes)} MiB`,
    );
    return { 'input MiB': toMiB(bytes), 'growth MiB': toMiB(large), 'growth of 200 MiB': toMiB(small), monotone: true };
  },
};

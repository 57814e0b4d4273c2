import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { DatabaseSync } from 'node:sqlite';
import { databaseName } from '../../../src/main/core/database/database.ts';
import { createTakes } from '../../../src/main/core/speech/takes.ts';
import type { Connection } from '../../../src/main/core/voice-service/connection.ts';
import { readFileConnection } from '../../../src/main/core/connections/connection-file.ts';
import { pauseAfter } from '../../../src/shared/schemas/speech.ts';
import { splitText } from '../../../src/shared/text/split-text.ts';
import { decodeSound } from '../../../src/sound/decode-sound.ts';
import type { SpeechSettings } from '../../../src/shared/schemas/speech.ts';
import { joinBlocks } from '../../../src/sound/pcm-block.ts';
import { makeTexts } from '../support/queue/make-sources.ts';
import { most, paidCalls } from '../support/queue/paid-calls.ts';
import type { QueueOrder } from '../support/queue/queue-order.ts';
import { runQueue } from '../support/queue/run-queue.ts';
import { must, type Scenario } from '../support/scenario.ts';

const kills = 20;
/** What the service takes for a sentence, so that there is something to kill. */
const callMs = 40;
/** What a joint may be heard with. */
const quietestDb = -60;

async function decoded(path: string): Promise<{ readonly samples: Float32Array; readonly sampleRate: number }> {
  const blocks: Float32Array[][] = [];
  let rate = 0;
  for await (const { channels, sampleRate } of decodeSound(path)) {
    blocks.push(channels.map((channel) => channel.slice()));
    rate = sampleRate;
  }
  return { samples: joinBlocks(blocks)[0] ?? new Float32Array(0), sampleRate: rate };
}

interface Book {
  /** The joined file. */
  readonly path: string;
  /** Its takes, in order. */
  readonly takes: readonly { readonly path: string; readonly pauseSeconds: number }[];
}

async function readBook(dataFolder: string, text: string, { id: connectionId, document }: Connection): Promise<Book> {
  const database = new DatabaseSync(join(dataFolder, databaseName), { readOnly: true });
  try {
    const row = database.prepare('SELECT state, output_path, settings FROM job WHERE text = ?').get(text);
    must(row?.['state'] === 'done', `the book is ${String(row?.['state'])}`);
    const settings = JSON.parse(String(row['settings'])) as SpeechSettings;
    const takes = createTakes(database, join(dataFolder, 'takes'));
    const parts = splitText(text, { language: settings.language, maxLength: null }).map(async (passage, k, all) => {
      const path = await takes.find(
        takes.keyOf({ connectionId, address: document.hosts.voice, text: passage.text, settings }),
      );
      must(path !== undefined, `the take of “${passage.text}” is gone`);
      return { path, pauseSeconds: k < all.length - 1 ? pauseAfter(passage, {}) : 0 };
    });
    return { path: String(row['output_path']), takes: await Promise.all(parts) };
  } finally {
    database.close();
  }
}

/** Checks the length of a joined file, and that it is silent at its joints. Returns the loudest joint in dB. */
async function checkJoints({ path, takes }: Book): Promise<{ readonly offMs: number; readonly loudestDb: number }> {
  const { samples, sampleRate } = await decoded(path);
  let at = 0;
  let loudest = 0;
  for (const take of takes) {
    const { samples: own, sampleRate: rate } = await decoded(take.path);
    must(rate === sampleRate, `a take has ${rate} Hz, the book ${sampleRate}`);
    loudest = Math.max(loudest, Math.abs(samples[at] ?? 0), Math.abs(samples[at + own.length - 1] ?? 0));
    at += own.length + Math.round(take.pauseSeconds * sampleRate);
  }
  return { offMs: (Math.abs(samples.length - at) / sampleRate) * 1000, loudestDb: 20 * Math.log10(loudest || 1e-9) };
}

export const scenario: Scenario = {
  id: 'Q32',
  title: 'a book is spoken across twenty kills, and a changed sentence costs one call',
  deadlineMs: 600_000,
  fullDeadlineMs: 3_600_000,
  async run(context) {
    const sentences = context.size(60, 3000);
    const engine = await context.startEngine();
    const proxy = await context.startProxy({ target: engine.origin });
    proxy.script([{ operation: 'speech', fault: { kind: 'latency', ms: callMs } }]);
    const document = proxy.document({ unknownOutcome: 'repeat' });
    const file = join(context.folder, 'connection.json');
    await writeFile(file, JSON.stringify(document));
    const connection = await readFileConnection(file, engine.token);
    // Three sentences a paragraph.
    const words = makeTexts(sentences).map((text) => `${text.charAt(0).toUpperCase()}${text.slice(1)}.`);
    const textOf = (all: readonly string[]) =>
      all.map((sentence, k) => sentence + (k % 3 === 2 ? '\n\n' : ' ')).join('');
    const book = textOf(words);
    const order: QueueOrder = {
      dataFolder: join(context.folder, 'data'),
      outputFolder: join(context.folder, 'out'),
      remote: { file, token: engine.token },
      sources: [],
      texts: [book],
      crash: null,
      stays: false,
    };
    let struck = 0;
    /** At a moment of some call after the next ones; resolves, too, when no call comes any more. */
    const untilCalls = (more: number) => async () => {
      const target = proxy.calls.length + more;
      const deadline = performance.now() + 20_000;
      while (proxy.calls.length < target && performance.now() < deadline) await sleep(5);
      await sleep(context.random.next() * 2 * callMs);
    };
    for (let k = 0; k < kills; k += 1) {
      context.note(`kill ${k + 1} of ${kills}`);
      const more = 1 + Math.floor(context.random.next() * 2 * (sentences / kills - 1));
      if ((await runQueue(context, order, untilCalls(more))) === 'killed') struck += 1;
    }
    must(struck >= kills / 2, `only ${struck} of ${kills} kills struck`);
    context.note('finishing');
    must((await runQueue(context, order)) === 'ended', 'the last run was killed by nobody we know');

    const afterBook = paidCalls(proxy.calls);
    const again = [...afterBook.values()].reduce((sum, count) => sum + count - 1, 0);
    must(afterBook.size === sentences, `${afterBook.size} of ${sentences} sentences were spoken`);
    must(again <= struck, `${again} calls were repeated by ${struck} kills`);
    must(most(afterBook) <= 1 + struck, 'a sentence was asked for more often than it was killed');

    const changed = textOf(words.with(Math.floor(sentences / 2), 'This sentence is another one.'));
    const before = proxy.calls.length;
    must((await runQueue(context, { ...order, texts: [book, changed] })) === 'ended', 'the second book did not end');
    const since = [...paidCalls(proxy.calls.slice(before)).values()].reduce((sum, count) => sum + count, 0);
    must(since === 1, `a changed sentence cost ${since} calls`);

    const figures = await checkJoints(await readBook(order.dataFolder, book, connection));
    must(figures.offMs <= 1, `the book is ${figures.offMs} ms longer or shorter than its takes and pauses`);
    must(figures.loudestDb <= quietestDb, `a joint clicks with ${figures.loudestDb.toFixed(1)} dB`);
    const files = await readdir(join(order.dataFolder, 'takes'), { recursive: true, withFileTypes: true });
    const left = files.filter((each) => each.isFile() && !/^[0-9a-f]{64}\.wav$/.test(each.name));
    must(left.length === 0, `${left[0]?.name ?? ''} is left among the takes`);
    return {
      sentences,
      kills: struck,
      'calls repeated by kills': again,
      'calls for a change': since,
      'length off by ms': Number(figures.offMs.toFixed(3)),
      'loudest joint dB': Number(figures.loudestDb.toFixed(1)),
    };
  },
};

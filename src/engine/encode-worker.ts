import { parentPort } from 'node:worker_threads';
import { createSoundWriter } from '../sound/encode-sound.ts';
import type { SoundWriter } from '../sound/sound-writer.ts';
import type { EncodeMessage, EncodeReply } from './threaded-encoder.ts';

/** Entry of the encoder worker: handles messages in order and replies to each. */
function serveEncoder(): void {
  const port = parentPort;
  if (!port) throw new Error('the encoder runs in a worker thread only');
  let writer: SoundWriter | null = null;
  let previous: Promise<void> = Promise.resolve();

  const perform = async (message: EncodeMessage): Promise<void> => {
    switch (message.kind) {
      case 'open':
        writer = await createSoundWriter(message.path, message.options);
        return;
      case 'write':
        await writer?.write(message.channels);
        return;
      case 'finish':
        await writer?.finish();
        writer = null;
        return;
      case 'close':
        await writer?.close();
        writer = null;
    }
  };

  port.on('message', (message: EncodeMessage) => {
    previous = previous
      .then(() => perform(message))
      .then(
        () => port.postMessage({ ok: true } satisfies EncodeReply),
        (error: unknown) => port.postMessage({ ok: false, error } satisfies EncodeReply),
      );
  });
}

serveEncoder();

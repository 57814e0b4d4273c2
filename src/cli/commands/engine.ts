import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { createEngine } from '../../engine/server.ts';
import { createVoiceChanger } from '../../engine/voice-changer.ts';
import { createSoundLooks } from '../../sound/sound-looks.ts';
import type { Command, Invocation } from '../command.ts';
import { exitCodes, type ExitCode } from '../exit-code.ts';
import { wholeNumber } from '../read-flags.ts';
import { dataFolderOf } from '../session.ts';
import { usageError } from '../usage-error.ts';

const tokenBytes = 32;

/** Runs until it is stopped. The token is new each time, or the one in `TIMBRE_TOKEN`. */
async function run(invocation: Invocation): Promise<ExitCode> {
  const { words, flags, output, messages, entryFolder, signal } = invocation;
  if (words.length > 0) throw usageError(messages.cli.usage.engineAlone);
  const token = process.env['TIMBRE_TOKEN'] ?? randomBytes(tokenBytes).toString('base64url');
  const engine = createEngine({
    dataDirectory: dataFolderOf(flags),
    token,
    voiceChanger: createVoiceChanger({ workerUrl: pathToFileURL(join(entryFolder, 'voice-worker.js')) }),
    looks: createSoundLooks({ workerUrl: pathToFileURL(join(entryFolder, 'look-worker.js')) }),
    onInternalError: (error) => console.error(error),
  });
  try {
    const { port } = await engine.start(wholeNumber(invocation, 'port', 0, 65_535) ?? 0);
    const origin = `http://127.0.0.1:${port}`;
    output.say(`Listening on ${origin}\nToken: ${token}`);
    output.event({ event: 'listening', origin, token });
    if (!signal.aborted) await once(signal, 'abort');
    output.event({ event: 'result' });
    return exitCodes.done;
  } finally {
    await engine.stop();
  }
}

export const engine: Command = {
  usage: ['timbre engine [--port N]'],
  purpose: ({ cli }) => cli.help.engine,
  options: { port: { type: 'string' } },
  run,
};

import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { createEngine } from '../../engine/server.ts';
import { createVoiceChanger } from '../../engine/voice-changer.ts';
import { dataFolder } from '../../main/core/data-folder.ts';
import { text, type Command, type Invocation } from '../command.ts';
import { exitCodes, type ExitCode } from '../exit-code.ts';
import { wholeNumber } from '../read-flags.ts';
import { usageError } from '../usage-error.ts';

const tokenBytes = 32;

/** Runs until it is stopped. The token is new each time, or the one in `TIMBRE_TOKEN`. */
async function run({ words, flags, output, entryFolder, signal }: Invocation): Promise<ExitCode> {
  if (words.length > 0) throw usageError('The engine takes no file names: timbre engine --port N.');
  const token = process.env['TIMBRE_TOKEN'] ?? randomBytes(tokenBytes).toString('base64url');
  const engine = createEngine({
    dataDirectory:
      text(flags, 'data-dir') ?? dataFolder({ platform: process.platform, env: process.env, home: homedir() }),
    token,
    voiceChanger: createVoiceChanger({ workerUrl: pathToFileURL(join(entryFolder, 'voice-worker.js')) }),
    onInternalError: (error) => console.error(error),
  });
  try {
    const { port } = await engine.start(wholeNumber(flags, 'port', 0, 65_535) ?? 0);
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
  usage: 'timbre engine [--port N]',
  purpose: 'run the voice engine alone, for other programs on this computer',
  options: { port: { type: 'string' } },
  run,
};

import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { createEngine } from '../../engine/server.ts';
import { createVoiceChanger } from '../../engine/voice-changer.ts';
import { createSoundInspector } from '../../sound/sound-inspector.ts';
import { type Run, wholeNumber } from '../args.ts';
import { exitCodes } from '../errors.ts';

const tokenBytes = 32;

/** Runs until the command is stopped. The token is from `TIMBRE_TOKEN`, otherwise random for each run. */
export const engine: Run = async (invocation) => {
  const { output, dataFolder, entryFolder, signal, onDefect } = invocation;
  const port = wholeNumber(invocation, 'port', 0, 65_535) ?? 0;
  const token = process.env['TIMBRE_TOKEN'] ?? randomBytes(tokenBytes).toString('base64url');
  const engine = createEngine({
    dataDirectory: dataFolder,
    token,
    voiceChanger: createVoiceChanger({ workerUrl: pathToFileURL(join(entryFolder, 'voice-worker.js')) }),
    inspector: createSoundInspector({ workerUrl: pathToFileURL(join(entryFolder, 'inspection-worker.js')) }),
    onInternalError: onDefect,
  });
  try {
    const { port: actualPort } = await engine.start(port);
    const origin = `http://127.0.0.1:${actualPort}`;
    output.print(`Listening on ${origin}`);
    output.print(`Token: ${token}`);
    output.event({ event: 'listening', origin, token });
    if (!signal.aborted) await once(signal, 'abort');
    output.event({ event: 'result' });
    return exitCodes.done;
  } finally {
    await engine.stop();
  }
};

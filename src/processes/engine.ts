import { randomBytes } from 'node:crypto';
import * as v from 'valibot';
import { createSoundInspector } from '../sound/sound-inspector.ts';
import type { EngineEvent } from '../engine/engine-messages.ts';
import { parentChannel } from './parent-channel.ts';
import { createEngine, type Engine } from '../engine/server.ts';
import { createVoiceChanger } from '../engine/voice-changer.ts';

const commandSchema = v.variant('type', [
  v.object({
    type: v.literal('start'),
    dataDirectory: v.string(),
    port: v.optional(v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(65_535))),
  }),
  v.object({ type: v.literal('drain') }),
  v.object({ type: v.literal('stop') }),
]);

const tokenBytes = 32;

/** The bundle has the worker modules beside this one as JavaScript; the source has them as TypeScript. */
const here = import.meta.url;
const workerUrl = new URL(here.endsWith('.ts') ? '../engine/voice-worker.ts' : './voice-worker.js', here);
const inspectionWorkerUrl = new URL(
  here.endsWith('.ts') ? '../sound/inspection-worker.ts' : './inspection-worker.js',
  here,
);

/**
 * Entry point of the engine process. Its parent starts the engine with one message and receives its address and token; the process
 * exits on a request to stop, after one to drain, and with its parent.
 */
function runEngineProcess(): void {
  const parent = parentChannel();
  if (!parent) throw new Error('the engine process must be started by another process');
  const send = (event: EngineEvent) => parent.send(event);
  let engine: Engine | null = null;

  const exit = () => {
    void (engine?.stop() ?? Promise.resolve()).finally(() => process.exit(0));
  };

  const start = async (dataDirectory: string, port: number) => {
    const token = randomBytes(tokenBytes).toString('base64url');
    const voiceChanger = createVoiceChanger({ workerUrl });
    const inspector = createSoundInspector({ workerUrl: inspectionWorkerUrl });
    engine = createEngine({
      dataDirectory,
      token,
      voiceChanger,
      inspector,
      onInternalError: (error) => console.error(error),
    });
    try {
      const listening = await engine.start(port);
      send({ type: 'listening', origin: `http://127.0.0.1:${listening.port}`, token });
    } catch (error) {
      engine = null;
      await Promise.all([voiceChanger.stop(), inspector.stop()]);
      const code = error instanceof Error && 'code' in error ? String(error.code) : 'engine/not-started';
      send({ type: 'failed', code, message: error instanceof Error ? error.message : String(error) });
    }
  };

  parent.onLost(exit);
  parent.onMessage((message) => {
    const parsed = v.safeParse(commandSchema, message);
    if (!parsed.success) return;
    if (parsed.output.type === 'stop') exit();
    else if (parsed.output.type === 'drain') void (engine?.drain() ?? Promise.resolve()).finally(exit);
    else if (!engine) void start(parsed.output.dataDirectory, parsed.output.port ?? 0);
  });
}

runEngineProcess();

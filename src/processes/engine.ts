import { randomBytes } from 'node:crypto';
import * as v from 'valibot';
import { createSoundInspector } from '../sound/sound-looks.ts';
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
  v.object({ type: v.literal('stop') }),
]);

const tokenBytes = 32;

/** The threads' modules stand beside this one, bundled as JavaScript; from source they are TypeScript. */
const here = import.meta.url;
const workerUrl = new URL(here.endsWith('.ts') ? '../engine/voice-worker.ts' : './voice-worker.js', here);
const lookUrl = new URL(here.endsWith('.ts') ? '../sound/look-worker.ts' : './look-worker.js', here);

/**
 * The engine's process. Its parent starts it with one message, learns address and token from the answer, and ends it with another, or by
 * going away.
 */
function runEngineProcess(): void {
  const parent = parentChannel();
  if (!parent) throw new Error('the engine is started by another process');
  const send = (event: EngineEvent) => parent.send(event);
  let engine: Engine | null = null;

  const leave = () => {
    void (engine?.stop() ?? Promise.resolve()).finally(() => process.exit(0));
  };

  const start = async (dataDirectory: string, port: number) => {
    const token = randomBytes(tokenBytes).toString('base64url');
    const voiceChanger = createVoiceChanger({ workerUrl });
    const inspector = createSoundInspector({ workerUrl: lookUrl });
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

  parent.onLost(leave);
  parent.onMessage((message) => {
    const parsed = v.safeParse(commandSchema, message);
    if (!parsed.success) return;
    if (parsed.output.type === 'stop') leave();
    else if (!engine) void start(parsed.output.dataDirectory, parsed.output.port ?? 0);
  });
}

runEngineProcess();

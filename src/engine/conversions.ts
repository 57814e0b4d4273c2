import { createHash } from 'node:crypto';
import { rm, stat } from 'node:fs/promises';
import { parse } from 'node:path';
import type { ChangeRequest } from './parse-change.ts';
import type { Task, TaskResult, TaskStore, TaskUpload } from './task-store.ts';
import type { VoiceChanger } from './voice-changer.ts';

/** The paid step: sound work that happens once for each different request, however often it is asked for. */
export interface Conversions {
  /** The stored result, or that of the run under way, or of a new one. Errors as of `VoiceChanger.convert`. */
  convert(task: Task, upload: TaskUpload, request: ChangeRequest): Promise<TaskResult>;
}

const fingerprintOf = ({ sha256 }: TaskUpload, { voice, change, format, engine }: ChangeRequest): string =>
  createHash('sha256')
    .update(
      JSON.stringify([
        sha256,
        voice.id,
        change.pitch,
        change.speed,
        change.autoF0,
        change.formantsFollowPitch,
        format,
        engine,
      ]),
    )
    .digest('hex')
    .slice(0, 32);

/** Creates the step over the stored tasks. A run belongs to no client: when the one who asked is gone, its result is kept all the same. */
export function createConversions(tasks: TaskStore, voiceChanger: VoiceChanger): Conversions {
  const running = new Map<string, Promise<TaskResult>>();

  const stored = async (id: string, fingerprint: string): Promise<TaskResult | null> => {
    const result = (await tasks.read(id))?.results[fingerprint];
    if (!result) return null;
    const size = await stat(tasks.pathOf(id, result.file)).then(
      (found) => found.size,
      () => null,
    );
    return size === result.bytes ? result : null;
  };

  const run = async (
    id: string,
    fingerprint: string,
    upload: TaskUpload,
    request: ChangeRequest,
  ): Promise<TaskResult> => {
    const done = await stored(id, fingerprint);
    if (done) return done;
    const startedAt = performance.now();
    await tasks.update(id, (task) => ({ ...task, soundRuns: task.soundRuns + 1 }));
    const file = `${fingerprint}.${request.format}`;
    const outputPath = tasks.pathOf(id, file);
    await voiceChanger.convert({
      inputPath: tasks.pathOf(id, upload.file),
      outputPath,
      format: request.format,
      voice: request.voice,
      change: request.change,
      quality: request.engine === 'v5' ? 'fast' : 'fine',
      expectedSeconds: upload.seconds,
    });
    const { size } = await stat(outputPath);
    const result: TaskResult = {
      file,
      name: `${parse(request.audioName ?? upload.name).name || 'result'}.${request.format}`,
      format: request.format,
      bytes: size,
      processingTimeMs: Math.round(performance.now() - startedAt),
      deliveredAt: null,
    };
    const kept = await tasks.update(id, (task) => ({ ...task, results: { ...task.results, [fingerprint]: result } }));
    if (!kept) await rm(outputPath, { force: true });
    return result;
  };

  return {
    convert(task, upload, request) {
      const fingerprint = fingerprintOf(upload, request);
      const key = `${task.id}/${fingerprint}`;
      const current = running.get(key);
      if (current) return current;
      const next = run(task.id, fingerprint, upload, request).finally(() => running.delete(key));
      running.set(key, next);
      return next;
    },
  };
}

import { createHash } from 'node:crypto';
import { parse } from 'node:path';
import type { ConversionRequest } from './parse-conversion.ts';
import { createWorkCache } from './work-cache.ts';
import type { Task, TaskResult, TaskStore, TaskUpload } from './task-store.ts';
import type { VoiceChanger } from './voice-changer.ts';

/** The paid step of voice changing. Identical requests are converted once. */
export interface ConversionCache {
  /**
   * Returns the stored result, or joins a running conversion, or starts one. Throws the errors of
   * `VoiceChanger.convert`.
   */
  convert(task: Task, upload: TaskUpload, request: ConversionRequest): Promise<TaskResult>;
}

const fingerprintOf = ({ sha256 }: TaskUpload, { voice, change, format, engine }: ConversionRequest): string =>
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

/** Keeps the results of a task in its store. */
export function createConversionCache(tasks: TaskStore, voiceChanger: VoiceChanger): ConversionCache {
  const runs = createWorkCache(tasks);
  return {
    convert: ({ id }, upload, request) =>
      runs.getOrRun({
        id,
        fingerprint: fingerprintOf(upload, request),
        format: request.format,
        name: `${parse(request.audioName ?? upload.name).name || 'result'}.${request.format}`,
        work: (outputPath) =>
          voiceChanger.convert({
            inputPath: tasks.pathOf(id, upload.file),
            outputPath,
            format: request.format,
            voice: request.voice,
            change: request.change,
            quality: request.engine === 'v5' ? 'fast' : 'fine',
            expectedSeconds: upload.seconds,
          }),
      }),
  };
}

import { parse } from 'node:path';
import type { ConversionRequest } from './parse-conversion.ts';
import { createWorkCache, fingerprintOf } from './work-cache.ts';
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

/** Keeps the results of a task in its store. */
export function createConversionCache(tasks: TaskStore, voiceChanger: VoiceChanger): ConversionCache {
  const runs = createWorkCache(tasks);
  return {
    convert({ id }, upload, request) {
      const { voice, change, format, engine } = request;
      const { pitch, speed, autoF0, formantsFollowPitch } = change;
      const sound = [upload.sha256, voice.id, pitch, speed, autoF0, formantsFollowPitch, format, engine];
      return runs.getOrRun({
        id,
        fingerprint: fingerprintOf(sound),
        format,
        name: `${parse(request.audioName ?? upload.name).name || 'result'}.${format}`,
        work: (outputPath) =>
          voiceChanger.convert({
            inputPath: tasks.pathOf(id, upload.file),
            outputPath,
            format,
            voice,
            change,
            quality: engine === 'v5' ? 'fast' : 'fine',
            expectedSeconds: upload.seconds,
          }),
      });
    },
  };
}

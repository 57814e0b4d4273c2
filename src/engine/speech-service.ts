import type { SpeechRequest } from './parse-speech.ts';
import { createWorkCache, fingerprintOf } from './work-cache.ts';
import type { Task, TaskResult, TaskStore } from './task-store.ts';
import type { VoiceChanger } from './voice-changer.ts';

/** The paid step of speech. Identical requests are spoken once. */
export interface SpeechService {
  /**
   * Returns the stored result, or joins a running request, or starts one. Throws the errors of
   * `VoiceChanger.speak`.
   */
  speak(request: SpeechRequest): Promise<{ readonly id: Task['id']; readonly result: TaskResult }>;
}

/**
 * The interface has no task for speech, so its id is derived from the request: the same text is
 * spoken, and counted, once.
 */
const taskIdOf = (fingerprint: string): string =>
  fingerprint.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');

/** Creates the service on top of its own task store. */
export function createSpeechService(tasks: TaskStore, voiceChanger: VoiceChanger): SpeechService {
  const runs = createWorkCache(tasks);
  return {
    async speak(request) {
      const { text, voice, languageFile, speed, pitch, engine } = request;
      const fingerprint = fingerprintOf([text, voice.id, languageFile, speed, pitch, engine]);
      const { id } = await tasks.create({
        id: taskIdOf(fingerprint),
        voice: voice.id,
        engine,
      });
      const result = await runs.getOrRun({
        id,
        fingerprint,
        format: 'wav',
        name: 'speech.wav',
        work: (outputPath) =>
          voiceChanger.speak({
            text,
            languageFile,
            voice,
            speed,
            pitch,
            quality: engine === 'v7' ? 'fine' : 'fast',
            outputPath,
          }),
      });
      return { id, result };
    },
  };
}

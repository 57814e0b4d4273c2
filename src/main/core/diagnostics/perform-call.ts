import { stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { AppError } from '../../../shared/app-error.ts';
import type { ConsoleCall } from '../../../shared/wire/console.ts';
import type { Task } from '../voice-service/create-task.ts';
import { snapshotOf, type SourceSnapshot } from '../voice-service/source-snapshot.ts';
import type { VoiceService } from '../voice-service/voice-service.ts';

async function sourceAt(path: string): Promise<SourceSnapshot> {
  try {
    const found = await stat(path, { bigint: true });
    if (!found.isFile()) throw new AppError('input/not-a-file', `no file: ${path}`);
    return snapshotOf(found);
  } catch (error) {
    if (error instanceof AppError) throw error;
    throw new AppError('input/missing', `cannot find ${path}`, { cause: error });
  }
}

/** Makes the call, once. `path` is where the chosen file is. Answers with the task where one was created. */
export async function performCall(
  service: VoiceService,
  call: ConsoleCall,
  path: string | null,
  signal: AbortSignal,
): Promise<Task | null> {
  switch (call.operation) {
    case 'create':
      return service.createTask({ voice: call.voice, engine: call.engine }, signal);
    case 'upload': {
      if (path === null) {
        throw new AppError('request/invalid', 'no file was chosen', { facts: { field: 'call.audioFile' } });
      }
      const task = { taskId: call.uuid, changerType: call['Changer-Type'] };
      const source = await sourceAt(path);
      await service.uploadAudio({ task, path, fileName: basename(path), source, onProgress: () => undefined }, signal);
      return null;
    }
    case 'convert':
      await service.turn(signal);
      await service.convertAudio(
        {
          taskId: call.uuid,
          voice: call.voice,
          pitch: call.pitch,
          speed: call.speed,
          outputFormat: call.outputFormat,
          audioName: call.audioName,
          platform: call.platform,
          pitchControl: call.pitch_control,
          engine: call.engine,
          autoF0: call.auto_f0_adjust,
        },
        signal,
      );
      return null;
    case 'speech':
      await service.turn(signal);
      await service.speakText(
        {
          text: call.speech,
          voice: call.voice,
          speed: call.Speed,
          language: call.LanguageCode,
          pitch: call.Pitch,
          engine: call.engine,
          platform: call.platform,
          // The sound is not kept: what came is told, and its kind and size.
          write: () => Promise.resolve(),
          onProgress: () => undefined,
        },
        signal,
      );
      return null;
    case 'voices':
      await service.listVoices(call, signal);
      return null;
    case 'voice':
      await service.voiceDetail(call.voice, signal);
      return null;
    case 'models':
      await service.listModels(call, signal);
      return null;
    case 'delete':
      await service.deleteModel(call.name, signal);
      return null;
    case 'plant':
      await service.createPlant({ id: call.id, name: call.name, tag: call.tag === '' ? null : call.tag }, signal);
      return null;
  }
}

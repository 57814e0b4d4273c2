import { changerEngines } from '../../shared/operations.ts';
import { sendJson, type Handler } from '../request-context.ts';
import { invalidInput } from '../http-error.ts';
import { readJson } from '../read-json.ts';
import type { TaskStore } from '../task-store.ts';
import type { VoiceRegistry } from '../voice-registry.ts';
import { optionalChoice, optionalText } from './body-fields.ts';

/** Value that the upload must send as Changer-Type. */
export const changerType = 'FVC';

/** POST /api/createaudiofilechanger */
export const createTask =
  (tasks: TaskStore, voices: VoiceRegistry): Handler =>
  async (call) => {
    const body = await readJson(call, invalidInput);
    const voice = optionalText(body, 'voice', invalidInput);
    if (!voice) throw invalidInput('The voice field is required.');
    if (!(await voices.find(voice))) throw invalidInput(`The voice ${voice} does not exist.`);
    optionalChoice(body, 'from', ['fv-file-changer'], invalidInput);
    optionalChoice(body, 'operation', [changerType], invalidInput);
    const engine = optionalChoice(body, 'engine', changerEngines, invalidInput) ?? 'v7';
    const task = await tasks.create({ voice, engine });
    sendJson(call.response, 200, { message: 'The task has been created.', taskId: task.id, changerType });
  };

import type { DeletedModel, ModelPage, VoiceDetail, VoicePage } from '../../../shared/schemas/voice.ts';
import type { NewPlant, Plant } from '../../../shared/schemas/diagnostics.ts';
import type { Connection } from './connection.ts';
import type { Conversion, Converted, Download, Task, TaskRequest, Upload, Uploaded } from './conversion.ts';
import type { MadeModel, ModelQuery, NewModel } from './models.ts';
import type { Http } from './http.ts';
import type { VoiceQuery } from './voices.ts';
import type { Speech, Spoken } from './speech.ts';

/** The operations of one connection. Every call throws `AppError`, or the signal's reason on abort. */
export interface ServiceClient {
  /**
   * Waits until the rate limit allows a paid call. Call it before `convertAudio` and `speakText`,
   * which do not wait.
   */
  waitForRateLimit(signal: AbortSignal): Promise<void>;
  createTask(request: TaskRequest, signal: AbortSignal): Promise<Task>;
  uploadAudio(upload: Upload, signal: AbortSignal): Promise<Uploaded>;
  convertAudio(conversion: Conversion, signal: AbortSignal): Promise<Converted>;
  downloadResult(download: Download, signal: AbortSignal): Promise<void>;
  listVoices(query: VoiceQuery, signal: AbortSignal): Promise<VoicePage>;
  voiceDetail(voiceId: string, signal: AbortSignal): Promise<VoiceDetail>;
  speakText(speech: Speech, signal: AbortSignal): Promise<Spoken>;
  listModels(query: ModelQuery, signal: AbortSignal): Promise<ModelPage>;
  deleteModel(name: string, signal: AbortSignal): Promise<DeletedModel>;
  /** Supported only by the local engine. */
  createModel(model: NewModel, signal: AbortSignal): Promise<MadeModel>;
  createPlant(plant: NewPlant, signal: AbortSignal): Promise<Plant>;
}

/**
 * `waitForRateLimit` limits paid calls; by default there is no limit. Each operation is loaded with its first
 * call: main needs none before the first paint.
 */
export const createServiceClient = (
  http: Http,
  connection: Connection,
  waitForRateLimit: ServiceClient['waitForRateLimit'] = () => Promise.resolve(),
): ServiceClient => {
  const conversion = () => import('./conversion.ts');
  const models = () => import('./models.ts');
  const voices = () => import('./voices.ts');
  return {
    waitForRateLimit,
    createTask: async (request, signal) => (await conversion()).createTask(http, connection, request, signal),
    uploadAudio: async (upload, signal) => (await conversion()).uploadAudio(http, connection, upload, signal),
    convertAudio: async (request, signal) => (await conversion()).convertAudio(http, connection, request, signal),
    downloadResult: async (download, signal) => (await conversion()).downloadResult(http, connection, download, signal),
    listVoices: async (query, signal) => (await voices()).listVoices(http, connection, query, signal),
    voiceDetail: async (voiceId, signal) => (await voices()).voiceDetail(http, connection, voiceId, signal),
    speakText: async (speech, signal) => (await import('./speech.ts')).speakText(http, connection, speech, signal),
    listModels: async (query, signal) => (await models()).listModels(http, connection, query, signal),
    deleteModel: async (name, signal) => (await models()).deleteModel(http, connection, name, signal),
    createModel: async (model, signal) => (await models()).createModel(http, connection, model, signal),
    createPlant: async (plant, signal) =>
      (await import('./sample-plant.ts')).createPlant(http, connection, plant, signal),
  };
};

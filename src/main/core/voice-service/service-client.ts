import type { DeletedModel, ModelPage, VoiceDetail, VoicePage } from '../../../shared/schemas/voice.ts';
import type { NewPlant, Plant } from '../../../shared/schemas/diagnostics.ts';
import type { Connection } from './connection.ts';
import {
  type Conversion,
  convertAudio,
  type Converted,
  createTask,
  type Download,
  downloadResult,
  type Task,
  type Upload,
  uploadAudio,
  type Uploaded,
} from './conversion.ts';
import { createModel, deleteModel, listModels, type MadeModel, type ModelQuery, type NewModel } from './models.ts';
import { createPlant } from './sample-plant.ts';
import type { Http } from './http.ts';
import { listVoices, voiceDetail, type VoiceQuery } from './voices.ts';
import { speakText, type Speech, type Spoken } from './speech.ts';

/** The operations of one connection. Every call throws `AppError`, or the signal's reason on abort. */
export interface ServiceClient {
  /**
   * Waits until the rate limit allows a paid call. Call it before `convertAudio` and `speakText`,
   * which do not wait.
   */
  waitForRateLimit(signal: AbortSignal): Promise<void>;
  createTask(request: Parameters<typeof createTask>[2], signal: AbortSignal): Promise<Task>;
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

/** `waitForRateLimit` limits paid calls; by default there is no limit. */
export const createServiceClient = (
  http: Http,
  connection: Connection,
  waitForRateLimit: ServiceClient['waitForRateLimit'] = () => Promise.resolve(),
): ServiceClient => ({
  waitForRateLimit,
  createTask: (request, signal) => createTask(http, connection, request, signal),
  uploadAudio: (upload, signal) => uploadAudio(http, connection, upload, signal),
  convertAudio: (conversion, signal) => convertAudio(http, connection, conversion, signal),
  downloadResult: (download, signal) => downloadResult(http, connection, download, signal),
  listVoices: (query, signal) => listVoices(http, connection, query, signal),
  voiceDetail: (voiceId, signal) => voiceDetail(http, connection, voiceId, signal),
  listModels: (query, signal) => listModels(http, connection, query, signal),
  deleteModel: (name, signal) => deleteModel(http, connection, name, signal),
  createModel: (model, signal) => createModel(http, connection, model, signal),
  createPlant: (plant, signal) => createPlant(http, connection, plant, signal),
  speakText: (speech, signal) => speakText(http, connection, speech, signal),
});

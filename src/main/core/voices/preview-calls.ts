import { defaultSettings } from '../../../shared/schemas/settings.ts';
import type { ConnectionDocument } from '../../../shared/schemas/connection.ts';
import type { Voice } from '../../../shared/schemas/voice.ts';
import type { ServiceClient } from '../voice-service/service-client.ts';
import type { Spoken } from '../voice-service/speech.ts';
import type { ExcerptFile } from './excerpts.ts';

/** What a call for a preview is made with. */
export interface PreviewCall {
  readonly service: ServiceClient;
  readonly document: ConnectionDocument;
  readonly voice: Voice;
  /** Receives a sound that is in the reply itself. */
  write(chunk: Buffer): Promise<void>;
  /** Waits for the rate limit and records the call, right before it is sent. */
  begin(): Promise<void>;
  /** Ends what costs nothing. */
  readonly free: AbortSignal;
  /** Ends the call itself, whose reply may be paid for. */
  readonly signal: AbortSignal;
}

/** Voices are compared as they are: pitch and speed stay as the connection has them. */
export const speechSettingsOf = ({ ranges }: ConnectionDocument) => ({
  speed: ranges.speed.default,
  pitch: ranges.pitch.default,
  engine: defaultSettings.speech.engine,
  platform: defaultSettings.speech.platform,
});

/** As `speechSettingsOf`. Uncompressed, so that nothing but the voice is heard. */
export const conversionSettingsOf = ({ ranges, platform }: ConnectionDocument) => ({
  pitch: ranges.pitch.default,
  speed: ranges.speed.default,
  pitchControl: defaultSettings.conversion.pitchControl,
  engine: defaultSettings.conversion.engine,
  autoF0: defaultSettings.conversion.autoF0,
  outputFormat: '.wav',
  platform,
});

export async function speakPreview(
  text: string,
  { service, document, voice, write, begin, signal }: PreviewCall,
): Promise<Spoken> {
  const speech = { ...speechSettingsOf(document), text, voice: voice.id, language: voice.language, write };
  await begin();
  return service.speakText({ ...speech, onProgress: () => undefined }, signal);
}

/** Converts the part as a job would, in its order of calls, of which only the last is paid. */
export async function convertPreview(
  { path, snapshot }: ExcerptFile,
  { service, document, voice, begin, free, signal }: PreviewCall,
): Promise<Spoken> {
  const settings = conversionSettingsOf(document);
  const task = await service.createTask({ voice: voice.id, engine: settings.engine }, free);
  // The service need not learn the name of the user's recording.
  const audioName = 'preview';
  const fileName = `${audioName}${path.slice(path.lastIndexOf('.'))}`;
  await service.uploadAudio({ task, path, fileName, source: snapshot, onProgress: () => undefined }, free);
  await begin();
  const converted = await service.convertAudio(
    { ...settings, taskId: task.taskId, voice: voice.id, audioName },
    signal,
  );
  return { kind: 'address', audioUrl: converted.audioUrl, message: null };
}

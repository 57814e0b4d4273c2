import { type ChangerEngine, changerEngines } from '../shared/operations.ts';
import { localPitchControls } from '../shared/schemas/settings.ts';
import { isOutputFormat, type OutputFormat } from '../sound/sound-format.ts';
import { invalidParameters } from './http-error.ts';
import { optionalChoice, optionalText } from './operations/body-fields.ts';
import { changeRange, type VoiceChange } from './plan-voice.ts';
import type { JsonObject } from './read-json.ts';
import type { Task } from './task-store.ts';
import type { EngineVoice } from './voice.ts';
import type { VoiceRegistry } from './voice-registry.ts';

/** A conversion request with all defaults applied. */
export interface ConversionRequest {
  readonly voice: EngineVoice;
  readonly change: VoiceChange;
  readonly format: OutputFormat;
  readonly engine: ChangerEngine;
  /** Name for the result, without folders; null if none was given. */
  readonly audioName: string | null;
}

function optionalRatio(body: JsonObject, field: 'pitch' | 'speed'): number {
  const value = body[field];
  if (value === undefined || value === null) return 1;
  if (typeof value !== 'number' || !Number.isFinite(value) || value <= 0) {
    throw invalidParameters(`${field} must be a positive number.`);
  }
  if (value < changeRange.min || value > changeRange.max) {
    throw invalidParameters(`${field} must be a positive number from ${changeRange.min} to ${changeRange.max}.`);
  }
  return value;
}

function outputFormat(body: JsonObject): OutputFormat {
  const value = optionalText(body, 'outputFormat', invalidParameters) ?? '.wav';
  const name = value.toLowerCase().replace(/^\./, '');
  if (!isOutputFormat(name)) throw invalidParameters('outputFormat must be .wav, .mp3, .flac or .ogg.');
  return name;
}

/** Validates the body of a conversion request for `task`. Throws `HttpError` in the interface's words. */
export async function parseConversion(body: JsonObject, task: Task, voices: VoiceRegistry): Promise<ConversionRequest> {
  const pitch = optionalRatio(body, 'pitch');
  const speed = optionalRatio(body, 'speed');
  const format = outputFormat(body);
  optionalChoice(body, 'from', ['fv-file-changer'], invalidParameters);
  optionalChoice(body, 'operation', ['FVC'], invalidParameters);
  optionalText(body, 'platform', invalidParameters);
  const engine =
    optionalChoice(body, 'engine', changerEngines, invalidParameters) ??
    changerEngines.find((known) => known === task.engine) ??
    'v7';
  const pitchControl = optionalText(body, 'pitch_control', invalidParameters) ?? '';
  if (!(localPitchControls as readonly string[]).includes(pitchControl)) {
    throw invalidParameters('pitch_control must be empty or shift-formants.');
  }
  const autoF0 = body['auto_f0_adjust'] ?? true;
  if (typeof autoF0 !== 'boolean') throw invalidParameters('auto_f0_adjust must be true or false.');
  const voiceId = optionalText(body, 'voice', invalidParameters) ?? task.voice;
  const voice = await voices.find(voiceId);
  if (!voice) throw invalidParameters(`The voice ${voiceId} does not exist.`);
  const audioName = optionalText(body, 'audioName', invalidParameters)?.split(/[\\/]/).pop();
  return {
    voice,
    change: { pitch, speed, autoF0, formantsFollowPitch: pitchControl === 'shift-formants' },
    format,
    engine,
    audioName: audioName || null,
  };
}

import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import type { ApiCall } from '../operations.ts';
import { apiCall } from './diagnostics.ts';

const voices: ApiCall = { operation: 'voices', category: '', gender: '', language: '', page: 0, limit: 100 };
const plant: ApiCall = { operation: 'plant', id: '-9223372036854775808', name: 'Fern', tag: '' };
const convert: ApiCall = {
  operation: 'convert',
  uuid: 't-1',
  voice: 'v',
  pitch: -1,
  speed: 0.92,
  outputFormat: '.wav',
  audioName: '',
  platform: '',
  pitch_control: '',
  engine: 'v7',
  auto_f0_adjust: false,
};
const speech: ApiCall = {
  operation: 'speech',
  speech: 'Hello.',
  voice: 'v',
  'Parameter.Speed': 1,
  'Parameter.LanguageCode': 'en-GB',
  'Parameter.Pitch': 1,
  engine: 'v1',
  platform: 'phone',
};

describe('a console call', () => {
  it.each([
    voices,
    plant,
    convert,
    speech,
    { operation: 'models', page: 1, limit: 500 },
    { operation: 'delete-model', name: ' my/voice ?' },
  ])('accepts what the service should judge: $operation', (call) => {
    expect(v.parse(apiCall, call)).toEqual(call);
  });

  it.each([
    ['page', { ...voices, page: -1 }],
    ['page', { ...voices, page: 0.5 }],
    ['page', { ...voices, page: Number.NaN }],
    ['limit', { ...voices, limit: 101 }],
    ['limit', { ...voices, limit: 0 }],
    ['gender', { ...voices, gender: 'robot' }],
    ['page', { operation: 'models', page: 0, limit: 1 }],
    ['voice', { operation: 'create-task', voice: ' ', engine: 'v7' }],
    ['voiceId', { operation: 'voice-detail', voiceId: '' }],
    ['engine', { operation: 'create-task', voice: 'v', engine: 'v1' }],
    ['uuid', { ...convert, uuid: '' }],
    ['pitch', { ...convert, pitch: Number.POSITIVE_INFINITY }],
    ['uuid', { operation: 'upload', uuid: '..', 'Changer-Type': 'FVC', audioFile: 'x' }],
    ['audioFile', { operation: 'upload', uuid: 't', 'Changer-Type': 'FVC', audioFile: '' }],
    ['speech', { ...speech, speech: ' \n ' }],
    ['speech', { ...speech, speech: 'x'.repeat(20_001) }],
    ['name', { operation: 'delete-model', name: '..' }],
    ['name', { operation: 'delete-model', name: '\ud800' }],
    ['id', { ...plant, id: '9223372036854775808' }],
    ['id', { ...plant, id: '1.5' }],
    ['name', { ...plant, name: '' }],
    ['operation', { operation: 'format-disk' }],
  ])('is rejected with the name of the field: %s of %o', (field, call) => {
    const parsed = v.safeParse(apiCall, call);
    expect(parsed.success).toBe(false);
    if (!parsed.success) expect(v.getDotPath(parsed.issues[0])).toBe(field);
  });
});

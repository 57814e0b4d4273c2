import * as v from 'valibot';
import { defaultNameTemplate } from '../../../shared/text/name-template.ts';
import { connectionSchema } from '../../../shared/schemas/connection.ts';
import { defaultSettings } from '../../../shared/schemas/settings.ts';
import type { Voice } from '../../../shared/schemas/voice.ts';
import type { ConversionJob, SpeechJob } from './job.ts';

export const testVoice: Voice = {
  id: 'low-bronze',
  name: 'Low bronze',
  language: 'en-US',
  gender: 'male',
  category: 'natural',
};

const anyJob = {
  position: 1,
  revision: 1,
  state: 'queued',
  stateChangedAt: 0,
  createdAt: 0,
  startedAt: null,
  endedAt: null,
  nextTryAt: null,
  attempts: 0,
  consecutiveFailures: 0,
  problem: null,
  timings: {},
  isListed: true,
  connection: {
    id: 'studio',
    name: 'Studio',
    document: v.parse(connectionSchema, { name: 'Studio', hosts: { voice: 'https://a.test', upload: '' } }),
  },
  voice: testVoice,
  target: { folder: null, nameTemplate: defaultNameTemplate },
  outputFormat: '.wav',
  audioUrl: null,
  processingTime: null,
  durationSeconds: null,
  finished: null,
  output: null,
} as const;

/** A conversion for tests. `change` overrides its fields. */
export const conversionJob = (change: Partial<ConversionJob> = {}): ConversionJob => ({
  ...anyJob,
  kind: 'conversion',
  id: 'conversion',
  settings: { ...defaultSettings.conversion, voiceId: testVoice.id },
  source: { path: '/recordings/a.wav', subfolder: '', snapshot: null },
  sourceSha256: null,
  audioName: null,
  platform: '',
  taskId: null,
  changerType: null,
  ...change,
});

/** A speech job for tests. `change` overrides its fields. */
export const speechJob = (change: Partial<SpeechJob> = {}): SpeechJob => ({
  ...anyJob,
  kind: 'speech',
  id: 'speech',
  settings: { voiceId: testVoice.id, language: 'en-US', speed: 1, pitch: 1, engine: 'v7', platform: 'web' },
  text: 'Good evening.',
  source: null,
  target: { folder: '/speech', nameTemplate: defaultNameTemplate },
  ...change,
});

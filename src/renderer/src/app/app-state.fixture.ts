import { loadMessages } from '../../../shared/messages/index.ts';
import { AppError } from '../../../shared/errors.ts';
import { createClient, type Transport } from '../../../shared/ipc/client.ts';
import { contract } from '../../../shared/ipc/contract.ts';
import { whenNothingIsDone } from '../../../shared/schemas/app.ts';
import { defaultSettings } from '../../../shared/schemas/settings.ts';
import { jobOf } from '../features/jobs/job.fixture.ts';
import { AppState } from './app-state.svelte.ts';

const en = await loadMessages('en');

export const { voice } = jobOf('a');
const range = { min: 0.5, max: 2, default: 1 };

/** The state of a window on a fake main that answers from a table, where an answer may be pending, and logs requests and subscriptions in their order. */
export function openAppState(change: Readonly<Record<string, unknown>> = {}) {
  const answers: Record<string, unknown> = {
    'app:info': {
      version: '1',
      platform: 'linux',
      languages: ['de-DE', 'en'],
      formatLocale: 'de-DE',
      portableFolder: null,
      fileActions: ['copy'],
    },
    'settings:get': defaultSettings,
    'connections:list': [{ id: 'local', name: 'This computer', kind: 'local', pitch: range, speed: range }],
    'voices:list': {
      page: 0,
      limit: 100,
      total: 2,
      voices: [voice, { ...voice, id: 'other' }],
      readAt: 0,
      problem: null,
    },
    'models:list': { page: 1, pages: 0, total: 0, models: [] },
    'jobs:list': { jobs: [], next: null },
    'jobs:pauses': [],
    'watch:list': [],
    'presets:list': [],
    'voices:getExcerpt': null,
    'app:whenDone': whenNothingIsDone,
    'updates:status': {
      ...{ phase: 'unsupported', host: '', checkedAt: null, available: null },
      ...{ canInstall: false, progress: 0, problem: null },
    },
    'history:search': new AppError('data/unreadable', 'no'),
    'jobs:add': { added: 1, refused: 0, ignored: 0, withoutPath: 0, addition: null, createdIds: [] },
    ...change,
  };
  const log: string[] = [];
  const inputs: Record<string, unknown> = {};
  const listeners = new Map<string, (payload: unknown) => void>();
  const transport: Transport = {
    invoke: async (channel, input) => {
      log.push(channel);
      inputs[channel] = input;
      const value = await answers[channel];
      return value instanceof AppError ? { ok: false, error: { ...value.problem, message: '' } } : { ok: true, value };
    },
    subscribe: (channel, listener) => {
      log.push(`on ${channel}`);
      listeners.set(channel, listener);
      return () => undefined;
    },
  };
  const app = new AppState(createClient(contract, transport), ({ name }) => name, en);
  const emit = (channel: string, payload?: unknown) => listeners.get(channel)?.(payload);
  return { app, log, inputs, answers, emit };
}

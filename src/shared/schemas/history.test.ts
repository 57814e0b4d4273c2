import * as v from 'valibot';
import { expect, it } from 'vitest';
import { type RepeatChanges, historyInputs } from './history.ts';

const choice = { ids: ['7b6f8e9a-1c2d-4e3f-8a9b-0c1d2e3f4a5b'] };
const parse = (changes: unknown) => v.safeParse(historyInputs.repeat, { choice, changes });

it.each<RepeatChanges>([
  {},
  { voiceId: 'low-bronze' },
  { pitch: 0.5, speed: 2, pitchControl: 'shift-formants', autoF0: false, engine: 'v5', format: '.flac' },
  { language: '', engine: 'v1', platform: 'phone' },
  { connectionId: 'studio' },
  { outputFolder: null },
  { outputFolder: '/results' },
])('a repeat accepts %j', (changes) => {
  expect(parse(changes).output).toEqual({ choice, changes });
});

it('a repeat needs no change', () => {
  expect(v.is(historyInputs.repeat, { choice })).toBe(true);
});

it.each([
  [{ text: 'Another one.' }, 'changes.text', 'settings of conversions or of speech'],
  [{ nameTemplate: '{name}' }, 'changes.nameTemplate', 'settings of conversions or of speech'],
  [{ connectionId: 7 }, 'changes.connectionId', 'Expected string'],
  [{ pitch: 0 }, 'changes.pitch', 'greater than 0'],
  [{ speed: '2' }, 'changes.speed', 'Expected number'],
  [{ engine: 'v6' }, 'changes.engine', 'Expected ("v1" | "v5" | "v7")'],
  [{ platform: 'linux' }, 'changes.platform', 'Expected'],
  [{ outputFolder: '' }, 'changes.outputFolder', 'Invalid length'],
])('a repeat rejects %j and says where', (changes, field, words) => {
  const [issue] = parse(changes).issues ?? [];
  expect(issue && v.getDotPath(issue)).toBe(field);
  expect(issue?.message).toContain(words);
});

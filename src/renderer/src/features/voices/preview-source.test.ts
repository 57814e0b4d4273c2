import { beforeEach, describe, expect, test } from 'vitest';
import { AppError } from '../../../../shared/errors.ts';
import type { PreviewChoice } from '../../../../shared/schemas/settings.ts';
import type { Excerpt, OpenedRecording, RecordingOrigin } from '../../../../shared/schemas/voice.ts';
import { PreviewSource } from './preview-source.svelte.ts';
import type { PreviewSound } from './preview-player.svelte.ts';

const part: Excerpt = { id: 'part', name: 'take.wav', startSeconds: 12, seconds: 10 };
const recording: OpenedRecording = {
  id: 'opened',
  name: 'take.wav',
  durationSeconds: 60,
  columns: btoa('\u00ff\u0080\u0040'),
  startSeconds: 12,
  seconds: 10,
};

let settings: { previewContent: PreviewChoice; previewText: string };
let kept: Excerpt | null;
let openRecording: (origin: RecordingOrigin) => Promise<OpenedRecording>;
let cutExcerpt: (part: { startSeconds: number; seconds: number }) => Promise<Excerpt>;
let source: PreviewSource;
let sound: PreviewSound & { paused: boolean };
let counts: { listens: number; removals: number };

beforeEach(() => {
  settings = { previewContent: 'text', previewText: '' };
  kept = part;
  counts = { listens: 0, removals: 0 };
  openRecording = () => Promise.resolve(recording);
  cutExcerpt = ({ startSeconds, seconds }) => Promise.resolve({ ...part, id: 'new', startSeconds, seconds });
  source = new PreviewSource(
    {
      getExcerpt: () => Promise.resolve(kept),
      chooseRecording: () => Promise.resolve('/music/take.wav'),
      openRecording: (origin) => openRecording(origin),
      cutExcerpt: (wanted) => cutExcerpt(wanted),
      removeExcerpt() {
        counts.removals += 1;
        return Promise.resolve();
      },
    },
    {
      createSound: () =>
        (sound = Object.assign(new EventTarget(), {
          src: '',
          volume: 1,
          paused: true,
          ended: false,
          play: () => Promise.resolve(void (sound.paused = false)),
          pause: () => void (sound.paused = true),
          load: () => undefined,
          removeAttribute: () => void (sound.src = ''),
        })),
      volume: () => 0.5,
      settings: () => settings,
      updateSettings: (change) => Object.assign(settings, change),
      onListen: () => void (counts.listens += 1),
    },
  );
});

describe('voices are heard with', () => {
  test.each([
    ['a sentence until something else is chosen', 'text', '', { kind: 'text', text: null }],
    ['the user’s own text', 'text', ' One, two. ', { kind: 'text', text: 'One, two.' }],
    ['a sentence again, and the text is kept', 'sentence', 'One, two.', { kind: 'text', text: null }],
    ['the part of the recording', 'recording', 'One, two.', { kind: 'recording', excerptId: 'part' }],
  ] as const)('%s', async (_, previewContent, previewText, content) => {
    await source.load();
    settings = { previewContent, previewText };
    expect(source.content).toEqual(content);
  });

  test('a sentence while no part is chosen', async () => {
    kept = null;
    await source.load();
    source.choose('recording');
    expect([source.choice, source.recording, source.content]).toEqual([
      'recording',
      null,
      { kind: 'text', text: null },
    ]);
  });

  test('a sentence again once the recording is removed', async () => {
    await source.load();
    source.choose('recording');
    await source.remove();
    expect([counts.removals, source.excerpt, source.content]).toEqual([1, null, { kind: 'text', text: null }]);
  });
});

describe('the part of a recording', () => {
  beforeEach(() => source.chooseFile());

  test('begins where main suggests, and its recording is heard only there', () => {
    expect([source.status, source.startSeconds, source.seconds]).toEqual(['choosing', 12, 10]);
    source.toggleListening();
    expect([sound.src, sound.volume, counts.listens]).toEqual(['media/recording/opened#t=12,22', 0.5, 1]);
    source.moveTo(13);
    expect([source.isListening, sound.paused]).toEqual([false, true]);
  });

  test.each([
    ['moves', () => source.moveTo(20), 20, 10],
    ['stays inside the recording at its end', () => source.moveTo(Infinity), 50, 10],
    ['stays inside the recording at its beginning', () => source.moveTo(-3), 0, 10],
    ['gets shorter', () => source.resize(4), 12, 4],
    ['has at most ten seconds', () => source.resize(30), 12, 10],
    ['has at least half a second', () => source.resize(-1), 12, 0.5],
    ['gets shorter from its beginning', () => source.moveStart(20), 20, 2],
    ['has at most ten seconds from its beginning', () => source.moveStart(3), 12, 10],
    ['has at least half a second from its beginning', () => source.moveStart(50), 21.5, 0.5],
  ] as const)('%s', (_, change, startSeconds, seconds) => {
    change();
    expect([source.startSeconds, source.seconds]).toEqual([startSeconds, seconds]);
  });

  test('is kept, and voices are heard with it', async () => {
    source.moveTo(20);
    await source.keep();
    expect([source.status, source.content]).toEqual(['closed', { kind: 'recording', excerptId: 'new' }]);
  });

  test('stays as it was when it is not kept, and can be tried again', async () => {
    cutExcerpt = () => Promise.reject(new AppError('output/disk-full', 'no'));
    await source.keep();
    expect([source.status, source.problem?.code, source.excerpt]).toEqual(['choosing', 'output/disk-full', null]);
    cutExcerpt = () => Promise.resolve(part);
    await source.keep();
    expect([source.status, source.problem]).toEqual(['closed', null]);
  });

  test('leaves no sound that the media keys could resume unseen when it is stopped, by its button or by them', () => {
    source.toggleListening();
    source.toggleListening();
    expect([sound.src, sound.paused]).toEqual(['', true]);
    source.toggleListening();
    sound.pause();
    sound.dispatchEvent(new Event('pause'));
    expect([sound.src, source.isListening]).toEqual(['', false]);
  });

  test('leaves no sound for the media keys when it is closed', () => {
    source.toggleListening();
    source.close();
    expect([sound.src, sound.paused, source.status, settings.previewContent]).toEqual(['', true, 'closed', 'text']);
  });
});

test('a recording that cannot be opened says why', async () => {
  openRecording = () => Promise.reject(new AppError('input/not-audio', 'no'));
  await source.open({ from: 'kept' });
  expect([source.status, source.problem?.code, source.opened]).toEqual(['choosing', 'input/not-audio', null]);
});

test('a recording that is closed while it is opened stays closed', async () => {
  const slow = Promise.withResolvers<OpenedRecording>();
  openRecording = () => slow.promise;
  const opening = source.open({ from: 'kept' });
  expect(source.status).toBe('opening');
  source.close();
  slow.resolve(recording);
  await opening;
  expect([source.status, source.opened]).toEqual(['closed', null]);
});

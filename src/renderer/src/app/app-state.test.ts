import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { AppError } from '../../../shared/errors.ts';
import { defaultSettings } from '../../../shared/schemas/settings.ts';
import { openAppState as setUp, voice } from './app-state.fixture.ts';
import type { PassageState } from '../../../shared/schemas/speech.ts';
import { jobOf } from '../features/jobs/job.fixture.ts';

describe('playback', () => {
  const job = jobOf('playing', { state: 'done', resultMedia: 'r' });

  test('continues when its row leaves every list (U2)', async () => {
    const { app, answers } = setUp({ 'jobs:list': { jobs: [job], next: null } });
    await app.start();
    await app.player.listen(job);
    answers['jobs:list'] = { jobs: [], next: null };
    await app.loadQueue();
    await app.watch.files.open(null);
    await app.history.search();
    expect(app.jobs.find('playing')).toBeUndefined();
    expect([app.playing?.id, app.player.track?.id]).toEqual(['playing', 'playing']);
    app.clearLostTrack();
    expect(app.player.track?.id).toBe('playing');
  });

  test('ends when the track cannot be played and is in no list', async () => {
    const { app } = setUp();
    await app.start();
    await app.player.listen(job);
    app.player.hasFailed = true;
    app.clearLostTrack();
    expect([app.playing, app.player.track]).toEqual([null, null]);
  });
});

describe('the app state', () => {
  test('subscribes, then tells main that it is ready, then requests snapshots', async () => {
    const { app, log } = setUp();
    await app.start();
    const ready = log.indexOf('app:ready');
    expect(log.slice(0, ready).sort()).toEqual([
      'on app:closeRequested',
      'on app:commandRequested',
      'on app:databaseDamaged',
      'on app:defect',
      'on app:hidden',
      'on app:openRequested',
      'on app:quitRequested',
      'on app:whenDoneChanged',
      'on connections:changed',
      'on diagnostics:checkChanged',
      'on history:changed',
      'on history:listCounted',
      'on history:taskProgressed',
      'on hook:changed',
      'on jobs:changed',
      'on jobs:pausesChanged',
      'on jobs:progressed',
      'on presets:changed',
      'on settings:changed',
      'on updates:changed',
      'on watch:changed',
      'on watch:filesChanged',
    ]);
    expect(log.slice(ready + 1).sort()).toEqual([
      'app:info',
      'app:whenDone',
      'connections:list',
      'hook:status',
      'jobs:list',
      'jobs:pauses',
      'presets:list',
      'settings:get',
      'updates:status',
      'voices:getExcerpt',
      'watch:list',
    ]);
    expect(app.status).toBe('ready');
  });

  test('uses the first supported language of the system', async () => {
    const { app } = setUp();
    await app.start();
    expect(app.i18n.t.language).toBe('de');
  });

  test('keeps the problem when the start fails, and does not subscribe twice on retry', async () => {
    const { app, log, answers } = setUp({ 'settings:get': new AppError('settings/unreadable', 'no') });
    await app.start();
    expect([app.status, app.problem?.code]).toEqual(['failed', 'settings/unreadable']);
    answers['settings:get'] = defaultSettings;
    await app.start();
    expect([app.status, app.problem]).toEqual(['ready', null]);
    expect(log.filter((entry) => entry === 'on jobs:changed')).toHaveLength(1);
  });

  test('starts without the queue when it cannot be read, and keeps the problem', async () => {
    const { app, answers } = setUp({ 'jobs:list': new AppError('data/newer', 'no') });
    await app.start();
    expect([app.status, app.queueProblem?.code, app.isFirstStart]).toEqual(['ready', 'data/newer', false]);
    answers['jobs:list'] = { jobs: [jobOf('a')], next: null };
    await app.loadQueue();
    expect([app.queueProblem, app.jobs.queue.length]).toEqual([null, 1]);
  });

  test('keeps saying why the data can only be read, whatever else happens, and shows what is there', async () => {
    const { app, answers, emit } = setUp();
    await app.start();
    const problem = { code: 'data/newer', facts: { found: 7, known: 6, access: 'read' } } as const;
    answers['jobs:list'] = { jobs: [jobOf('a')], next: null };
    emit('app:databaseDamaged', problem);
    app.report(new AppError('data/newer', 'no'));
    app.shell.unexpectedProblem = null;
    await expect.poll(() => app.jobs.queue).toHaveLength(1);
    expect(app.shell.readOnlyProblem).toEqual(problem);
  });

  test('adds no files while the queue cannot be read, and reports the same problem', async () => {
    const { app, log, answers } = setUp({
      'jobs:list': new AppError('data/unreadable', 'no', { facts: { name: 'x' } }),
    });
    await app.start();
    await app.adding.addFiles([new File([], 'a.wav')]);
    expect(app.adding.problem).toEqual({ code: 'data/unreadable', facts: { name: 'x' } });
    expect(log).not.toContain('jobs:add');
    answers['jobs:list'] = { jobs: [], next: null };
    await app.adding.addFiles([new File([], 'a.wav')]);
    expect([app.adding.problem, app.queueProblem, log.includes('jobs:add')]).toEqual([null, null, true]);
  });

  test('shows the first start while no voice is selected and there is no job', async () => {
    const { app } = setUp();
    await app.start();
    expect(app.isFirstStart).toBe(true);
    const later = setUp({ 'jobs:list': { jobs: [jobOf('a')], next: null } });
    await later.app.start();
    expect(later.app.isFirstStart).toBe(false);
  });

  test('selects the voice highlighted on the first start when the first recording is added', async () => {
    const { app, inputs } = setUp();
    await app.start();
    await app.voices.load('local');
    app.defaults.firstVoiceId = 'other';
    await app.adding.addFiles([new File([], 'a.wav')]);
    expect(inputs['jobs:add']).toMatchObject({ paths: ['a.wav'], settings: { voiceId: 'other' } });
    expect(app.settings.value?.conversion.voiceId).toBe('other');
  });

  test('selects the first voice when none is highlighted, and waits until voices are loaded', async () => {
    const { app, inputs } = setUp();
    await app.start();
    await app.adding.addFiles([new File([], 'a.wav')]);
    expect(inputs['jobs:add']).toMatchObject({ settings: { voiceId: voice.id } });
  });

  test('limits pitch and speed to the range of the connection and keeps the settings', async () => {
    const conversion = { ...defaultSettings.conversion, voiceId: voice.id, pitch: 4, speed: 0.25 };
    const { app, inputs } = setUp({ 'settings:get': { ...defaultSettings, conversion } });
    await app.start();
    await app.adding.addSample();
    expect(inputs['jobs:addSample']).toMatchObject({ settings: { pitch: 2, speed: 0.5 } });
    expect(app.settings.value?.conversion).toMatchObject({ pitch: 4, speed: 0.25 });
  });

  test('sends a changed setting before the files that are added after it', async () => {
    const { app, log } = setUp({ 'settings:update': { ...defaultSettings, nameTemplate: '{name}' } });
    await app.start();
    app.settings.update({ nameTemplate: '{name}' });
    await app.adding.addFiles([new File([], 'a.wav')]);
    expect(log.indexOf('settings:update')).toBeGreaterThan(-1);
    expect(log.indexOf('settings:update')).toBeLessThan(log.indexOf('jobs:add'));
  });

  test('may be unloaded while the window is hidden only after all that was dropped is added', async () => {
    vi.stubGlobal('document', { forms: [] });
    const reply = Promise.withResolvers<unknown>();
    const conversion = { ...defaultSettings.conversion, voiceId: voice.id };
    const { app, answers, emit, log, inputs } = setUp({
      'settings:get': { ...defaultSettings, conversion },
      'jobs:add': reply.promise,
    });
    await app.start();
    const added = app.adding.addFiles([new File([], 'a.wav')]);
    const next = app.adding.addFiles([new File([], 'b.wav')]);
    emit('app:hidden', { hiding: 3 });
    await expect.poll(() => log).toContain('jobs:add');
    await app.flush();
    expect(log).not.toContain('app:allowUnload');
    answers['jobs:add'] = { added: 1, refused: 0, ignored: 0, withoutPath: 0, addition: 1, createdIds: ['a'] };
    reply.resolve(answers['jobs:add']);
    await Promise.all([added, next]);
    await expect.poll(() => log).toContain('app:allowUnload');
    expect(log.filter((channel) => channel === 'jobs:add')).toHaveLength(2);
    expect(log.lastIndexOf('jobs:add')).toBeLessThan(log.indexOf('app:allowUnload'));
    expect(inputs['app:allowUnload']).toEqual({ hiding: 3 });
    vi.unstubAllGlobals();
  });

  test('opens dropped texts in Speech and adds the recordings among them, whatever the view', async () => {
    const { app, inputs } = setUp({ 'speech:openFiles': { kind: 'text' } });
    await app.start();
    app.openDropped(['a.wav', 'a.TXT', 'b.srt', 'c.tsv', 'folder'].map((name) => new File([], name)));
    await expect.poll(() => inputs['jobs:add']).toMatchObject({ paths: ['a.wav', 'folder'] });
    expect(inputs['speech:openFiles']).toEqual({ paths: ['a.TXT', 'b.srt', 'c.tsv'] });
    expect(app.shell.view).toBe('speech');
    app.openDropped([new File([], 'b.wav')]);
    await expect.poll(() => inputs['jobs:add']).toMatchObject({ paths: ['b.wav'] });
    expect(app.shell.view).toBe('convert');
  });

  test('opens texts in Speech that the system opens with Timbre, too', async () => {
    const { app, inputs, emit } = setUp({ 'speech:openFiles': { kind: 'text' } });
    await app.start();
    emit('app:openRequested', { kind: 'files', paths: ['/a.wav', '/b.txt'] });
    await expect.poll(() => inputs['speech:openFiles']).toEqual({ paths: ['/b.txt'] });
    await expect.poll(() => inputs['jobs:add']).toMatchObject({ paths: ['/a.wav'] });
    expect(app.shell.view).toBe('speech');
  });

  test('adds files that were dropped while it was starting', async () => {
    const { app, inputs } = setUp();
    app.openDropped([new File([], 'a.wav')]);
    expect(inputs['jobs:add']).toBeUndefined();
    await app.start();
    await expect.poll(() => inputs['jobs:add']).toMatchObject({ paths: ['a.wav'] });
  });
});

test('a notice of the browser, which has no error, is not reported', () => {
  const { app, log } = setUp();
  app.report(null);
  expect([app.shell.unexpectedProblem, log]).toEqual([null, []]);
  app.report(new Error('no'));
  expect([app.shell.unexpectedProblem?.code, log]).toEqual(['internal', ['app:note']]);
});

test('what was added cannot be taken back after a job was removed or cancelled', async () => {
  const { app } = setUp({
    'settings:get': { ...defaultSettings, conversion: { ...defaultSettings.conversion, voiceId: voice.id } },
    'jobs:list': { jobs: [jobOf('a')], next: null },
    'jobs:add': { added: 1, refused: 0, ignored: 0, withoutPath: 0, addition: 1, createdIds: ['a'] },
  });
  await app.start();
  for (const takeOut of [() => app.jobs.cancel(['b']), () => app.jobs.remove(['b'])]) {
    await app.adding.addFiles([new File([], 'a.wav')]);
    expect(app.adding.canUndo).toBe(true);
    await takeOut();
    expect(app.adding.canUndo).toBe(false);
  }
});

test('voices are tried on the original of an entry in the view of voices', async () => {
  const opened = { id: 'o', name: 'a.wav', durationSeconds: 3, columns: '', startSeconds: 0, seconds: 3 };
  const { app, inputs } = setUp({ 'voices:openRecording': opened });
  await app.start();
  app.tryVoicesOn({ id: 'entry' });
  expect([app.shell.view, inputs['voices:openRecording']]).toEqual(['voices', { from: 'job', id: 'entry' }]);
  await expect.poll(() => app.previewSource.opened?.name).toBe('a.wav');
});

describe('one sound at a time', () => {
  /** Audio elements that are not heard, by where their sound is. */
  class SilentAudio extends EventTarget {
    static playing = new Set<SilentAudio>();
    src = '';
    volume = 1;
    paused = true;
    play = () => Promise.resolve(void SilentAudio.playing.add(this));
    pause = () => void SilentAudio.playing.delete(this);
    load = () => undefined;
    removeAttribute = () => void (this.src = '');
  }
  class NoContext {
    resume = () => Promise.race([]);
  }
  const heard = () => [...SilentAudio.playing].map(({ src }) => src);

  beforeEach(() => {
    SilentAudio.playing.clear();
    vi.stubGlobal('Audio', SilentAudio);
    vi.stubGlobal('AudioContext', NoContext);
    vi.stubGlobal('document', { forms: [] });
  });
  afterEach(() => vi.unstubAllGlobals());

  const sources = {
    'the player': 'player',
    'a sentence of a text': 'media/take/sentence',
    'a voice': 'media/preview/voice.mp3',
    'a comparison of voices': 'media/preview/voice.mp3',
    'a part of a recording': 'media/recording/o#t=0,3',
  } as const;
  type Source = keyof typeof sources;
  const names = Object.keys(sources) as Source[];

  async function setUpSounds() {
    const features = { f0Hz: 120, brightness: 0.5, levelDb: -26 };
    const { app, emit } = setUp({
      'voices:preview': { kind: 'ready', media: 'voice.mp3', features },
      'voices:openRecording': { id: 'o', name: 'a.wav', durationSeconds: 3, columns: '', startSeconds: 0, seconds: 3 },
    });
    await app.start();
    const [connection = expect.fail('no connection')] = app.connections.list;
    app.passages.list = [{ media: 'sentence' } as PassageState];
    app.comparison.use(connection);
    app.comparison.toggle(voice);
    await app.previewSource.open({ from: 'job', id: 'entry' });
    const element = Object.assign(new SilentAudio(), { src: 'player' });
    app.player.pause = element.pause;
    const play: Readonly<Record<Source, () => unknown>> = {
      'the player'() {
        app.takeAudioFocus();
        return element.play();
      },
      'a sentence of a text': () => app.passagePlayer.play(0),
      'a voice': () => app.previews.toggle(connection, voice),
      'a comparison of voices': () => app.comparison.open(),
      'a part of a recording': () => app.previewSource.toggleListening(),
    };
    return { app, play: (source: Source) => play[source](), emit };
  }

  const pairs = names.flatMap((first) =>
    names.filter((name) => name !== first).map((second) => [first, second] as const),
  );

  test('the player stops when a comparison that it stopped before is heard again', async () => {
    const { app, play } = await setUpSounds();
    await play('a comparison of voices');
    await play('the player');
    expect(heard()).toEqual(['player']);
    await app.comparison.togglePlaying();
    expect(heard()).toEqual([sources['a comparison of voices']]);
  });

  test.each(pairs)('%s stops when %s is heard', async (first, second) => {
    const { play } = await setUpSounds();
    await play(first);
    expect(heard()).toEqual([sources[first]]);
    await play(second);
    expect(heard()).toEqual([sources[second]]);
  });

  test.each(names)('%s stops when the window is hidden', async (name) => {
    const { play, emit } = await setUpSounds();
    await play(name);
    emit('app:hidden', { hiding: 1 });
    expect(heard()).toEqual([]);
  });
});

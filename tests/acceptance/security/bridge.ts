// Fails when a compromised page reaches a path outside, or makes a channel of the bridge fail unexpectedly.
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { inspect } from 'node:util';
import { systemClock } from '../../../src/main/core/clock.ts';
import { logFileNames } from '../../../src/main/core/diagnostics/log.ts';
import { createIpcServer } from '../../../src/main/core/ipc-server.ts';
import { createCore } from '../../../src/main/core/core.ts';
import { createSettingsStore } from '../../../src/main/core/settings.ts';
import { createSpeechDraft } from '../../../src/main/core/speech/speech-draft.ts';
import { createHandlers } from '../../../src/main/handlers/index.ts';
import { createAllowedPaths } from '../../../src/main/handlers/allowed-paths.ts';
import { contract } from '../../../src/shared/ipc/contract.ts';
import { inputSchemas } from '../../../src/shared/ipc/inputs.ts';
import { defaultSettings } from '../../../src/shared/schemas/settings.ts';
import type { WatchSettings } from '../../../src/shared/schemas/watch.ts';
import { must, type Scenario } from '../support/scenario.ts';
import { scannersBy } from '../support/watch/spawn-scanner.ts';
import { noDesktop } from '../support/no-desktop.ts';
import { noUpdates } from '../support/no-updates.ts';

const nobody = '00000000-0000-4000-8000-000000000000';
const texts = [
  '',
  ' ',
  '\0',
  '\ud800',
  '\udfff.wav',
  '../../etc/passwd',
  '/etc/passwd',
  '..',
  '.',
  'C:\\x',
  '%2e%2e',
  '__proto__',
];
const further = [
  'constructor',
  'local',
  nobody,
  "'; DROP TABLE job; --",
  '<img src=x>',
  '\u202e',
  'x'.repeat(70_000),
  '\n',
  '*',
  '?',
];
const others = [
  null,
  undefined,
  0,
  -1,
  1.5,
  NaN,
  Infinity,
  1e308,
  true,
  [],
  {},
  [[]],
  new Date(0),
  1n,
  Symbol.iterator,
  () => 1,
];
const strings = [...texts, ...further];
/** A value for each field that a channel knows, one of them hostile. */
const fields = [
  'id',
  'ids',
  'connectionId',
  'origin',
  'path',
  'paths',
  'name',
  'text',
  'voiceId',
  'token',
  'which',
  'choice',
  'settings',
  'document',
];

function inputs(): readonly unknown[] {
  const usual = {
    id: nobody,
    ids: [nobody],
    connectionId: 'local',
    path: 'a',
    paths: ['a'],
    name: 'n',
    which: 'result',
  };
  const more = {
    page: 1,
    limit: 10,
    caret: 0,
    count: 1,
    from: 0,
    list: 0,
    languageCode: 'en',
    place: 'file',
    token: 't',
  };
  const rest = {
    category: '',
    gender: '',
    language: '',
    before: null,
    after: null,
    only: 'all',
    text: 't',
    voiceId: 'v',
  };
  const whole = { ...usual, ...more, ...rest, origin: 'https://a.example', choice: { ids: [nobody] }, withFiles: true };
  const wrong = fields.flatMap((field) =>
    strings.flatMap((text) => [
      { ...whole, [field]: text },
      { ...whole, [field]: [text] },
    ]),
  );
  const recordings = strings.flatMap((text) => [
    { from: 'file', path: text },
    { from: 'job', id: text },
    { recordingId: text, startSeconds: 0, seconds: 1 },
    { connectionId: 'local', voiceId: 'v', spending: 'agreed', content: { kind: 'recording', excerptId: text } },
  ]);
  const known = [{ from: 'kept' }, { from: 'job', id: nobody }];
  const parts = [{ recordingId: nobody, startSeconds: 0, seconds: 1 }];
  return [...others, ...strings, whole, ...known, ...parts, ...recordings, ...wrong];
}

export const scenario: Scenario = {
  id: 'S21',
  title: 'no channel of the bridge reaches outside or fails unexpectedly, whatever a page sends',
  async run(context) {
    const unexpected: string[] = [];
    const revealed: string[] = [];
    const dataFolder = join(context.folder, 'data');
    const core = createCore({
      clock: systemClock,
      random: () => 0,
      dataFolder,
      role: 'command',
      settings: () => defaultSettings,
      spawnService: scannersBy(context).spawnService,
      threadUrl: (name) => new URL(`../../../out/main/${name}.js`, import.meta.url),
      onProgress: () => undefined,
      onDefect: (error) => unexpected.push(String(error)),
      onDamage: () => undefined,
      trash: (path) => Promise.resolve(void revealed.push(path)),
    });
    const store = createSettingsStore(
      { read: () => ({}), write: () => undefined },
      systemClock,
      new AbortController().signal,
    );
    const none = () => Promise.resolve(null);
    const wanted = { folder: null as string | null, program: null as string | null, proxy: false, asked: 0 };
    const dialogs = {
      confirmProxy: () => {
        wanted.asked += 1;
        return Promise.resolve(wanted.proxy);
      },
      chooseProgram: () => Promise.resolve(wanted.program),
      confirmArguments() {
        wanted.asked += 1;
        return Promise.resolve(false);
      },
      chooseDocument: none,
      chooseNewDocument: none,
      chooseFile: none,
      chooseFiles: () => Promise.resolve([]),
      chooseFolder: () => Promise.resolve(wanted.folder),
      chooseNewExport: none,
      chooseExport: none,
      chooseFileOrFolder: none,
      chooseLexicon: none,
      chooseNewLexicon: none,
      chooseTexts: () => Promise.resolve([]),
    };
    const places = createAllowedPaths();
    const draft = createSpeechDraft(join(dataFolder, 'speech', 'draft.txt'), systemClock);
    const handlers = createHandlers({
      core,
      places,
      settings: () => Promise.resolve(store),
      drawWaveform: () => Promise.reject(new Error('nothing is drawn')),
      clock: systemClock,
      updates: noUpdates,
      app: {
        portableFolder: null,
        version: '0',
        platform: 'linux',
        languages: [],
        formatLocale: 'en',
        readNotices: () => Promise.resolve([]),
        onReady: () => undefined,
        desktop: noDesktop,
        onPageLog: () => undefined,
        onRestart: () => undefined,
      },
      dialogs,
      draft: () => Promise.resolve(draft),
      desktop: {
        sample: { path: join(context.folder, 'sample.mp3'), outputFolder: () => context.folder },
        speechFolder: () => context.folder,
        reveal: (path) => void revealed.push(path),
      },
      history: {
        fileSharing: () =>
          Promise.resolve({
            copyText: () => Promise.resolve(),
            copyFiles: (paths) => Promise.resolve(void revealed.push(...paths)),
            shareFiles: (paths) => Promise.resolve(void revealed.push(...paths)),
            dragFiles: (paths) => void revealed.push(...paths),
          }),
        importFolder: () => Promise.resolve(context.folder),
        emitProgress: () => undefined,
      },
      diagnostics: { version: '0', dataFolder, emitChecked: () => undefined },
    });
    const answers = createIpcServer({
      contract,
      handlers,
      schemas: inputSchemas,
      onUnexpected: (channel, error) =>
        unexpected.push(`${channel}: ${error instanceof Error ? (error.stack ?? '') : String(error)}`),
    });
    const ownPlaces = [logFileNames[0], 'copies'].map((name) => join(dataFolder, name));
    let calls = 0;
    const all = inputs();
    for (const [channel, answer] of answers) {
      // They look at the machine, or wait for it; what a page says is not asked.
      if (channel.endsWith('checks')) continue;
      context.note(channel);
      for (const input of context.full ? all : all.filter((_, k) => k < 40 || k % 3 === calls % 3)) {
        const reply = await answer(input);
        calls += 1;
        const last = unexpected.at(-1);
        must(last === undefined, `${channel} with ${inspect(input).slice(0, 200)}: ${last ?? ''}`);
        must(reply.ok || reply.error.code !== 'internal', `${channel}: internal`);
        // The log and the copies are Timbre's own, and no page names them.
        const reached = revealed.splice(0).filter((path) => !ownPlaces.includes(path));
        must(reached.length === 0, `${channel}: it reached ${reached.join(', ')}`);
      }
    }
    const say = async (channel: string, input?: unknown) =>
      (await answers.get(channel)?.(input)) ?? {
        ok: false as const,
        error: { code: 'internal' as const, message: '' },
      };
    const mustRefuse = async (channel: string, input: unknown) => {
      const reply = await say(channel, input);
      must(!reply.ok && reply.error.code === 'request/invalid', `${channel} with ${inspect(input)} is not refused`);
    };
    const chosen = join(context.folder, 'chosen');
    const watched = join(context.folder, 'watched');
    await Promise.all([mkdir(chosen), mkdir(watched)]);
    const settingsOf = (path: string, outputFolder: string | null = null): WatchSettings => ({
      path,
      outputFolder,
      isRecursive: true,
      endings: ['.wav'],
      connectionId: 'local',
      conversion: { ...defaultSettings.conversion, voiceId: 'v' },
      afterwards: 'keep',
      dailyMinutes: null,
      hours: null,
      hasSubfolderVoices: false,
      speech: null,
      runsHook: true,
    });
    const { watch } = await core.data();
    const voice = { id: 'v', name: 'V', language: 'en', gender: '', category: '' };
    const { folder: known } = await watch.save(null, settingsOf(watched), voice);
    wanted.folder = chosen;
    await say('app:chooseFolder');
    await say('settings:update', { outputFolder: chosen });
    must(store.get().outputFolder === chosen, 'a folder that a dialog gave is refused');
    for (const path of ['', '.', '..', 'chosen']) places.allow(path);
    const inside = await say('jobs:add', {
      paths: [join(chosen, 'a.wav')],
      connectionId: 'local',
      atMost: null,
      settings: settingsOf(chosen).conversion,
    });
    must(
      !inside.ok && inside.error.code !== 'request/invalid',
      'a recording in a folder that a dialog gave is refused',
    );
    let refusedPlaces = 0;
    for (const place of [
      ...[context.folder, '/', '/etc', `${chosen}x`, `${chosen}/..`, `${chosen}/../watchedx`, `${watched}/../x`],
      ...[
        '.',
        '..',
        'chosen',
        '~',
        'C:\\',
        '\\\\server\\share',
        `file://${chosen}`,
        `/proc/self/root${chosen}`,
        ` ${chosen}`,
      ],
    ]) {
      refusedPlaces += 1;
      await mustRefuse('settings:update', { outputFolder: place });
      await mustRefuse('jobs:add', {
        paths: [join(chosen, 'a.wav'), place],
        connectionId: 'local',
        atMost: null,
        settings: settingsOf(place).conversion,
      });
      await mustRefuse('watch:findFolders', { paths: [chosen, place] });
      await mustRefuse('voices:openRecording', { from: 'file', path: place });
      await mustRefuse('history:repeat', { choice: { ids: [nobody] }, changes: { outputFolder: place } });
      for (const settings of [settingsOf(place), settingsOf(watched, place)]) {
        await mustRefuse('watch:preview', { settings });
        for (const id of [null, nobody, known.id]) await mustRefuse('watch:save', { id, settings });
      }
    }
    must(store.get().outputFolder === chosen, 'a page set the folder for results');
    must(
      watch
        .listFolders()
        .every(({ folder: { settings } }) => settings.path === watched && settings.outputFolder === null),
      'a page set a watched folder',
    );
    for (const settings of [settingsOf(chosen), settingsOf(watched, join(watched, 'a'))]) {
      must(
        (await say('watch:preview', { settings })).ok,
        'a folder that a dialog gave, or inside of one in use, is refused',
      );
    }
    const outside = ['../../etc/passwd', '/etc/passwd', '..', '.', 'a/../../x', '\ud800', '%2e%2e', 'not-known.wav'];
    for (const path of outside) await mustRefuse('watch:reveal', { id: known.id, path });
    must(revealed.length === 0, `revealed: ${revealed.join(', ')}`);
    await say('watch:reveal', { id: known.id, path: null });
    must(revealed.splice(0).join() === watched, 'the folder itself is not revealed');
    for (const proxy of ['http://evil.example:8080', 'https://10.0.0.1:1', 'http://127.0.0.1:9']) {
      const before = wanted.asked;
      await say('settings:update', { proxy, theme: 'dark' });
      must(wanted.asked === before + 1, `${proxy}: nobody was asked`);
      must(store.get().proxy === '' && store.get().theme === 'dark', `${proxy}: a page set it`);
    }
    wanted.proxy = true;
    await say('settings:update', { proxy: 'http://proxy.example:8080' });
    await say('settings:update', { proxy: 'http://proxy.example:8080' });
    must(
      store.get().proxy === 'http://proxy.example:8080' && wanted.asked === 4,
      'a proxy that was allowed is not set',
    );
    const program = join(context.folder, 'program.sh');
    const hook = { isOn: true, program, args: ['-c', 'touch pwned'], timeoutSeconds: 9 };
    await mustRefuse('hook:update', hook);
    await say('settings:update', { hook, theme: 'light' });
    must(store.get().hook.program === null && !store.get().hook.isOn, 'a page set the program');
    wanted.program = program;
    await say('hook:chooseProgram');
    const before = wanted.asked;
    await say('hook:update', { ...hook, program: '/bin/sh' });
    must(wanted.asked === before + 1, 'nobody was asked about the arguments of the program');
    must(store.get().hook.program === program && !store.get().hook.args.includes('-c'), 'a page set what is run');
    await say('settings:update', { ffmpegPath: '/bin/sh', theme: 'dark' });
    must(store.get().ffmpegPath === null, 'a page set the path of ffmpeg');
    // It says no version: it is not ffmpeg.
    await say('ffmpeg:choose');
    await say('ffmpeg:reset');
    must(store.get().ffmpegPath === null, 'a program that is not ffmpeg is used as it');
    for (const arg of ['a\nb', '\u202e', 'x'.repeat(301), 7]) await mustRefuse('hook:update', { ...hook, args: [arg] });
    must(unexpected.length === 0, unexpected.join(', '));
    await core.stop();
    return {
      channels: answers.size,
      calls,
      internal: 0,
      'paths outside': 0,
      'places refused': refusedPlaces,
      proxies: 4,
    };
  },
};

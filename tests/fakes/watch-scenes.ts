import type { FolderSpeech, WatchFolderInfo, WatchPreview } from '../../src/shared/schemas/watch.ts';
import type { Scene } from './fake-bridge.ts';
import { empty, inSettings, studio } from './base-scene.ts';
import { everyFile, file, folder, folders, hour, main, sessions, states, worked, writing } from './watched-folders.ts';

const watch: Scene = { ...empty, watch: { folders, files: sessions } };

const every: Scene = {
  ...empty,
  connections: [...empty.connections, studio],
  watch: {
    folders: [folder(states, { incoming: 8, attention: 3, recorded: 27, settings: { dailyMinutes: 120 } })],
    files: everyFile,
  },
};

const asking: Scene = {
  ...empty,
  watch: {
    folders: [
      folder('Interviews', { recorded: 412, baseline: { files: 412, texts: 0, seconds: 11_400, isMeasured: true } }),
      folder('Measuring', {
        voice: 'unit',
        recorded: 90,
        baseline: { files: 90, texts: 12, seconds: 1300, isMeasured: false },
      }),
    ],
    files: [412, 90].flatMap((count, k) =>
      Array.from({ length: count }, (_, n) =>
        file(k === 0 ? 'Interviews' : 'Measuring', `take ${n + 1}.wav`, { kind: 'baseline' }),
      ),
    ),
  },
};

const offline: Scene = {
  ...empty,
  watch: {
    folders: folders.filter(({ mode }) => mode === 'offline'),
    files: sessions.map((one) => ({ ...one, folderId: 'NAS interviews' })),
  },
};

const troubled: Scene = {
  ...empty,
  watch: {
    folders: [
      folder('Field', {
        mode: 'polling',
        scanIntervalSeconds: 30,
        problems: [
          { code: 'watch/too-many-folders', facts: { seconds: 30 } },
          { code: 'watch/unreadable-inside', facts: { folder: 'private', count: 3 } },
          { code: 'input/unreadable-name', facts: { name: 'Pr\uFFFDsentation.wav', count: 2 } },
          { code: 'watch/source-stays', facts: { name: 'take 4.wav' } },
        ],
      }),
      folder('Else', { mode: 'elsewhere', problems: [{ code: 'watch/elsewhere' }] }),
      folder('Share', {
        mode: 'polling',
        scanIntervalSeconds: 30,
        problems: [{ code: 'watch/network-drive', facts: { seconds: 30 } }],
      }),
      folder('Another', { mode: 'offline', problems: [{ code: 'watch/another-folder' }] }),
      folder('Locked', { mode: 'offline', problems: [{ code: 'watch/unreadable' }] }),
      folder('Fresh', { mode: 'starting', checkedAt: null, recorded: 0 }),
    ],
    files: [],
  },
};

const resultsMissing: Scene = {
  ...empty,
  watch: {
    folders: [
      folder('Field', {
        incoming: 2,
        problems: [{ code: 'output/folder-missing', facts: { folder: '/media/anna/Field Recorder/Converted' } }],
        settings: { outputFolder: '/media/anna/Field Recorder/Converted' },
      }),
    ],
    files: sessions.map((one) => ({ ...one, folderId: 'Field' })),
  },
};

/** The connection of the first folder was removed. */
const disconnected: Scene = {
  ...empty,
  watch: {
    folders: folders.map((info, k) =>
      k === 0 ? { ...info, settings: { ...info.settings, connectionId: 'gone' } } : info,
    ),
    files: sessions,
  },
};

const preview: WatchPreview = {
  files: [
    { path: 'chapter 01, the harbour.wav', seconds: 412, problem: null },
    { path: 'chapter 02, customs.wav', seconds: 380, problem: null },
    { path: 'chapter 03, the ferry.wav', seconds: 3912, problem: null },
    {
      path: 'raw take (unfinished).wav',
      seconds: null,
      problem: { code: 'input/cut', facts: { promisedSeconds: 552, actualSeconds: 400 } },
    },
    { path: 'radio.aac', seconds: null, problem: null },
    { path: 'announcements/opening hours.txt', seconds: 34, problem: null },
    {
      path: 'announcements/terms.md',
      seconds: 1412,
      problem: { code: 'input/text-too-long', facts: { limitBytes: 1_048_576, actualBytes: 1_690_000 } },
    },
    ...Array.from({ length: 30 }, (_, k) => ({
      path: `takes/day 2/take ${k + 1}.wav`,
      seconds: 61 + k,
      problem: null,
    })),
  ],
  count: 412,
  texts: 27,
  seconds: 11_400,
  unmeasured: 3,
  refused: 1,
  ignored: 27,
  links: 2,
};
const speech: FolderSpeech = {
  language: '',
  speed: 1,
  pitch: 1,
  engine: 'v7',
  platform: 'web',
  speakers: [
    { name: 'Anna', voiceId: 'warm-talker', voiceName: 'Warm talker' },
    { name: 'Old man with the lantern', voiceId: 'gone', voiceName: 'Quiet harbour master' },
  ],
};
/** The same folder with voices by subfolder, at night, and with texts. */
const byVoice = (info: WatchFolderInfo): WatchFolderInfo => ({
  ...info,
  settings: { ...info.settings, isRecursive: true, hasSubfolderVoices: true, hours: { from: 1320, to: 390 }, speech },
});
const planned: Scene = {
  ...empty,
  connections: [...empty.connections, studio],
  watch: { folders: folders.map(byVoice), files: sessions, preview },
};

const longName = 'Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft';
const names: Scene = {
  ...empty,
  watch: {
    folders: [
      folder(longName, {
        voice: 'long',
        incoming: 3,
        attention: 12,
        recorded: 1_204_511,
        settings: { outputFolder: `/home/ada/${longName}/${longName}` },
      }),
      folder('تسجيلات المنارة القديمة على الشاطئ الشمالي', { voice: 'calm-copper' }),
      folder('x'.repeat(120), { voice: 'quiet-bell', mode: 'offline' }),
    ],
    files: [
      file(longName, `2026-11-18/${longName} (second attempt, final FINAL).wav`, writing),
      file(longName, 'الفصل الرابع، المنارة القديمة.wav', { kind: 'same-sound', as: `${'y'.repeat(200)}.wav` }),
      file(longName, `${'x'.repeat(240)}.wav`, {
        kind: 'quarantined',
        failures: 3,
        problem: { code: 'service/refused', words: 'z'.repeat(180) },
      }),
      worked(longName, '<b>not markup</b> & "quotes".wav', 'done', hour),
    ],
  },
};

const huge = 'Ten thousand';
const why = (answer: NonNullable<Scene['watch']>['answer']): Scene => ({
  ...watch,
  watch: { folders, files: sessions, ...(answer && { answer }) },
});
const quarantined = sessions.find(({ state }) => state.kind === 'quarantined');

/** The scenes of Watched folders. */
export const watchScenes = {
  watch,
  'watch-german': inSettings(watch, { language: 'de' }),
  'watch-contrast': inSettings(watch, { contrast: 'more' }),
  'watch-empty': empty,
  'watch-states': every,
  'watch-states-german': inSettings(every, { language: 'de' }),
  'watch-baseline': asking,
  'watch-baseline-german': inSettings(asking, { language: 'de' }),
  'watch-offline': offline,
  'watch-troubled': troubled,
  'watch-troubled-german': inSettings(troubled, { language: 'de' }),
  'watch-disconnected': disconnected,
  'watch-results-missing': resultsMissing,
  'watch-results-missing-german': inSettings(resultsMissing, { language: 'de' }),
  'watch-names': names,
  'watch-huge': {
    ...empty,
    watch: {
      folders: [folder(huge, { recorded: 10_000 })],
      files: Array.from({ length: 10_000 }, (_, k) =>
        file(huge, `take ${k + 1}.wav`, k % 9 === 4 ? { kind: 'baseline' } : { kind: 'other-settings' }),
      ),
    },
  },
  'watch-failed': { ...empty, failures: { 'watch:list': 'data/unreadable' } },
  'watch-files-failed': { ...watch, failures: { 'watch:listFiles': 'data/unreadable' } },
  'watch-refusing': { ...watch, failures: { 'watch:setPaused': 'data/unreadable' } },
  'watch-planned': planned,
  'watch-planned-german': inSettings(planned, { language: 'de' }),
  'watch-hook': inSettings(planned, {
    hook: { isOn: true, program: '/home/ada/bin/upload.sh', args: [], timeoutSeconds: 60 },
  }),
  'watch-overlaps': {
    ...planned,
    watch: {
      folders,
      files: sessions,
      preview,
      refusal: { code: 'watch/overlaps', facts: { folder: '/home/ada/Recordings' } },
    },
  },
  'watch-why': why(
    quarantined && {
      path: `/home/ada/Recordings/${main}/${quarantined.path}`,
      answer: { kind: 'file', folder: main, file: quarantined },
    },
  ),
  'watch-why-ending': why({
    path: '/home/ada/Recordings/Audiobook sessions/notes.amr',
    answer: { kind: 'ending', folder: main, ending: '.amr' },
  }),
  'watch-why-german': inSettings(
    why({ path: '/home/ada/take.wav.part', answer: { kind: 'temporary', folder: main, pattern: '*.part' } }),
    { language: 'de' },
  ),
} as const satisfies Readonly<Record<string, Scene>>;

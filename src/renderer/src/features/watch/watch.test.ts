import { describe, expect, test } from 'vitest';
import { AppError } from '../../../../shared/errors.ts';
import type { ConnectionInfo } from '../../../../shared/schemas/connection.ts';
import { defaultFolderSpeech, type WatchSettings } from '../../../../shared/schemas/watch.ts';
import type { Api } from '../../lib/api.ts';
import { jobOf } from '../jobs/job.fixture.ts';
import { Connections } from '../connections/connections.svelte.ts';
import { folderOf, watchApi } from './watch.fixture.ts';
import { defaultOutputFolder, parseLimit } from './folder-form.svelte.ts';
import { Watch } from './watch.svelte.ts';

const { voice } = jobOf('a');
const ratio = { min: 0.5, max: 2, default: 1 };
const connections: readonly ConnectionInfo[] = [
  { id: 'local', name: 'This computer', kind: 'local', pitch: ratio, speed: ratio, maxTextLength: null },
  {
    id: 'north',
    name: 'North',
    kind: 'remote',
    pitch: { min: -10, max: 10, default: 0 },
    speed: ratio,
    maxTextLength: null,
  },
];
const { conversion } = folderOf('f').settings;
/** Waits for the form's catalogue, which nothing awaits. */
const loaded = () => new Promise((resolve) => setTimeout(resolve));

function setUp(change: Partial<Api['watch']> = {}, folder: string | null = '/recordings/new') {
  const chosenFolders = [folder];
  const api = {
    watch: watchApi(change),
    app: { chooseFolder: () => Promise.resolve(chosenFolders.shift() ?? null) } as Partial<Api['app']> as Api['app'],
    voices: {
      list: () => Promise.resolve({ page: 0, limit: 100, total: 1, voices: [voice], readAt: 0, problem: null }),
    } as Partial<Api['voices']> as Api['voices'],
    models: {
      list: () => Promise.resolve({ page: 1, pages: 0, total: 0, models: [] }),
    } as Partial<Api['models']> as Api['models'],
  };
  const connectionState = new Connections({} as Api['connections'], () => undefined);
  connectionState.list = connections;
  const watch = new Watch(api, {
    connections: connectionState,
    conversion: () => ({ connectionId: 'local', conversion }),
    onAttention: () => undefined,
  });
  return { watch, chosenFolders, connections: connectionState };
}

async function openForm(change: Partial<Api['watch']> = {}) {
  const { watch, chosenFolders } = setUp(change);
  await watch.add();
  await loaded();
  if (!watch.form) throw new Error('No form was opened');
  return { watch, form: watch.form, chosenFolders };
}

describe('watched folders', () => {
  test('that need attention are counted: failed files, an open question, a missing disk', async () => {
    const { watch } = setUp({
      list: () =>
        Promise.resolve([
          folderOf('idle'),
          folderOf('files', { attention: 2 }),
          folderOf('question', { baseline: { files: 3, texts: 0, seconds: 9, isMeasured: true } }),
          folderOf('offline', { mode: 'offline' }),
          folderOf('paused', { mode: 'paused' }),
        ]),
    });
    await watch.load();
    expect([watch.needAttention, watch.selected?.id]).toEqual([3, 'idle']);
  });

  test('whose connection was removed need attention, but not before connections are loaded', async () => {
    const { watch, connections: state } = setUp({ list: () => Promise.resolve([folderOf('a'), folderOf('b')]) });
    await watch.load();
    expect(watch.needAttention).toBe(0);
    state.list = connections.filter(({ id }) => id !== 'local');
    expect(watch.needAttention).toBe(2);
    state.list = [];
    expect(watch.needAttention).toBe(0);
  });

  test('that cannot be listed show why', async () => {
    const { watch } = setUp({ list: () => Promise.reject(new AppError('data/unreadable', 'no')) });
    await watch.load();
    expect([watch.isLoaded, watch.listProblem?.code]).toEqual([false, 'data/unreadable']);
  });

  test('convert at most 1,000 files per call', async () => {
    const counts: number[] = [];
    const { watch } = setUp({ convert: ({ paths }) => Promise.resolve(void counts.push(paths.length)) });
    await watch.convert(
      'f',
      Array.from({ length: 2500 }, (_, k) => String(k)),
    );
    expect(counts).toEqual([1000, 1000, 500]);
  });

  test('show why a command failed until the next one', async () => {
    const { watch } = setUp({ remove: () => Promise.reject(new AppError('internal', 'no')) });
    await watch.remove('f');
    expect(watch.problem?.code).toBe('internal');
    await watch.setPaused('f', true);
    expect(watch.problem).toBeNull();
  });

  test('are found by id or path', async () => {
    const { watch } = setUp({ list: () => Promise.resolve([folderOf('a'), folderOf('b', { name: 'Bee' })]) });
    await watch.load();
    expect(['b', '/recordings/b', 'Bee'].map((folder) => watch.find(folder)?.id)).toEqual(['b', 'b', undefined]);
  });
});

describe('folders that are dropped', () => {
  const isFolder = (path: string) => !path.includes('.');
  const findFolders: Api['watch']['findFolders'] = ({ paths }) =>
    Promise.resolve(paths.map((path) => (isFolder(path) ? path : null)));
  const drop = (watch: Watch, ...paths: readonly string[]) => watch.addDropped(paths, (path) => path);

  test('open the form, and files among them are left to the caller', async () => {
    const { watch } = setUp({ findFolders });
    expect(await drop(watch, '/a.wav', '/mixes', '/b.txt')).toEqual(['/a.wav', '/b.txt']);
    expect(watch.form?.path).toBe('/mixes');
    const { watch: other } = setUp({ findFolders });
    expect([await drop(other, '/a.wav'), other.form]).toEqual([['/a.wav'], null]);
  });

  test('are entered in the form that is open, whose other fields stay', async () => {
    const { watch, form } = await openForm({ findFolders });
    form.limit = '20';
    await drop(watch, '/mixes');
    expect([watch.form, form.path, form.outputFolder, form.limit]).toEqual([form, '/mixes', '/mixes/Converted', '20']);
  });

  test('open the form one after the other as each is saved, until one is cancelled', async () => {
    const save: Api['watch']['save'] = ({ settings }) => Promise.resolve(folderOf(settings.path, { settings }));
    const { watch } = setUp({ findFolders, save });
    await drop(watch, '/a', '/b', '/c', '/d');
    await loaded();
    for (const path of ['/a', '/b']) {
      expect(watch.form?.path).toBe(path);
      await watch.saveForm();
      await loaded();
    }
    expect(watch.form?.path).toBe('/c');
    watch.closeForm();
    expect([watch.form, watch.list.map(({ settings }) => settings.path)]).toEqual([null, ['/a', '/b']]);
    await watch.add();
    await loaded();
    await watch.saveForm();
    expect(watch.form).toBeNull();
  });

  test('follow each other when one is skipped, are counted once, and wait when another one is dropped', async () => {
    const { watch } = setUp({ findFolders });
    await drop(watch, '/a', '/b', '/c');
    await drop(watch, '/d', '/c', '/a');
    expect([watch.form?.path, watch.following]).toEqual(['/a', ['/b', '/c', '/d']]);
    watch.skipForm();
    expect([watch.form?.path, watch.following]).toEqual(['/b', ['/c', '/d']]);
    watch.closeForm();
    expect([watch.form, watch.following]).toEqual([null, []]);
  });

  test('are not asked about again if they are watched already, and one alone is selected', async () => {
    const known = folderOf('b', { settings: { ...folderOf('b').settings, path: '/b' } });
    const { watch } = setUp({ findFolders, list: () => Promise.resolve([folderOf('a'), known]) });
    await watch.load();
    await drop(watch, '/b');
    expect([watch.form, watch.selected?.id]).toEqual([null, 'b']);
    await drop(watch, '/b', '/c');
    expect([watch.form?.path, watch.following]).toEqual(['/c', []]);
  });

  test('on the form of a watched folder do not change its path, and open the form once it is closed', async () => {
    for (const isSaved of [true, false]) {
      const { watch } = setUp({ findFolders });
      watch.edit(folderOf('f'));
      await loaded();
      await drop(watch, '/mixes');
      expect([watch.form?.id, watch.form?.path]).toEqual(['f', '/recordings/f']);
      if (isSaved) await watch.saveForm();
      else watch.closeForm();
      expect([watch.form?.id, watch.form?.path]).toEqual([null, '/mixes']);
    }
  });

  test('that main cannot look at show why', async () => {
    const { watch } = setUp({ findFolders: () => Promise.reject(new AppError('internal', 'no')) });
    expect([await drop(watch, '/a'), watch.problem?.code, watch.form]).toEqual([[], 'internal', null]);
  });
});

describe('the form for a folder', () => {
  test('does not open when the user cancels the dialog', async () => {
    const { watch } = setUp({}, null);
    await watch.add();
    expect(watch.form).toBeNull();
  });

  test('keeps what is entered when the user adds another folder: that is entered in it, or follows a watched one', async () => {
    const { watch, form, chosenFolders } = await openForm();
    form.limit = '20';
    chosenFolders.push('/other');
    await watch.add();
    expect([watch.form, form.path, form.limit]).toEqual([form, '/other', '20']);

    const edited = setUp();
    edited.watch.edit(folderOf('f'));
    await edited.watch.add();
    expect([edited.watch.form?.id, edited.watch.following]).toEqual(['f', ['/recordings/new']]);
  });

  test('keeps what is entered when the user edits a folder, which follows it', async () => {
    const { watch, form } = await openForm({ list: () => Promise.resolve([folderOf('f')]) });
    await watch.load();
    form.limit = '20';
    watch.edit(folderOf('f'));
    watch.edit(folderOf('f'));
    expect([watch.form, watch.following]).toEqual([form, ['/recordings/f']]);
    watch.skipForm();
    expect([watch.form?.id, watch.selected?.id, watch.following]).toEqual(['f', 'f', []]);
    if (watch.form) watch.form.limit = '30';
    watch.edit(folderOf('f'));
    expect([watch.form?.limit, watch.following]).toEqual(['30', []]);
  });

  test('does not take in a folder while it is saved, which follows it', async () => {
    const saving = Promise.withResolvers<undefined>();
    const { watch, chosenFolders } = await openForm({
      save: ({ settings }) => saving.promise.then(() => folderOf('made', { settings })),
    });
    const saved = watch.saveForm();
    chosenFolders.push('/other');
    await watch.add();
    saving.resolve(undefined);
    expect([(await saved)?.settings.path, watch.form?.path]).toEqual(['/recordings/new', '/other']);
  });

  test('begins with the current conversion settings and Converted as its output folder', async () => {
    const { form } = await openForm();
    expect(form.settings).toEqual({ ...folderOf('new').settings, path: '/recordings/new' });
    expect([form.voice?.id, form.invalidFields]).toEqual([voice.id, []]);
  });

  test('changes the output folder with the folder, unless the user selected it', async () => {
    const { form, chosenFolders } = await openForm();
    chosenFolders.push('/other', '/results', '/third');
    await form.chooseFolder();
    expect(form.outputFolder).toBe('/other/Converted');
    await form.chooseOutputFolder();
    await form.chooseFolder();
    expect([form.path, form.outputFolder]).toEqual(['/third', '/results']);
  });

  test('keeps the output folder while results go next to the originals', async () => {
    const { form } = await openForm();
    form.outputLocation = 'beside';
    expect(form.settings.outputFolder).toBeNull();
    form.outputLocation = 'folder';
    expect(form.settings.outputFolder).toBe('/recordings/new/Converted');
  });

  test('shows its errors when it is saved, and sends nothing', async () => {
    const requests: unknown[] = [];
    const { watch, form } = await openForm({
      save: (input) => Promise.resolve((requests.push(input), folderOf('made'))),
    });
    form.limit = 'a lot';
    form.endings = [];
    form.change({ voiceId: 'missing' });
    expect(form.hasError('limit')).toBe(false);
    await watch.saveForm();
    expect([form.invalidFields, form.hasError('voice'), requests]).toEqual([['endings', 'voice', 'limit'], true, []]);
  });

  test('closes when it is saved, and selects the folder', async () => {
    const { watch } = await openForm();
    await watch.saveForm();
    expect([watch.form, watch.selected?.id]).toEqual([null, 'made']);
  });

  test('shows an error of main at its field until the field changes, and keeps all input', async () => {
    const { watch, form, chosenFolders } = await openForm({
      save: () => Promise.reject(new AppError('watch/overlaps', 'no', { facts: { folder: '/recordings' } })),
    });
    form.limit = '60';
    await watch.saveForm();
    expect([watch.form === form, form.problemOf('path')?.code, form.problem, form.limit]).toEqual([
      true,
      'watch/overlaps',
      null,
      '60',
    ]);
    chosenFolders.push('/elsewhere');
    await form.chooseFolder();
    expect(form.hasError('path')).toBe(false);
  });

  test('says that its preset was deleted meanwhile, and is saved without it and with all else the next time', async () => {
    const { watch, form } = await openForm({
      save: ({ settings }) =>
        settings.preset
          ? Promise.reject(new AppError('preset/not-found', 'no'))
          : Promise.resolve(folderOf('made', { settings })),
    });
    form.preset = { id: 'gone', name: 'Evening', revision: 1 };
    form.limit = '60';
    await watch.saveForm();
    expect([watch.form?.problem?.code, form.limit]).toEqual(['preset/not-found', '60']);
    expect((await watch.saveForm())?.settings.dailyMinutes).toBe(60);
  });

  test('shows other errors of main above the fields', async () => {
    const { watch, form } = await openForm({ save: () => Promise.reject(new AppError('data/unreadable', 'no')) });
    await watch.saveForm();
    expect([form.problem?.code, form.isSaving]).toEqual(['data/unreadable', false]);
  });

  test('resets pitch if the new connection has another range', async () => {
    const { form } = await openForm();
    form.change({ pitch: 1.5, speed: 0.8 });
    form.setConnection('north');
    expect([form.settings.conversion.pitch, form.settings.conversion.speed]).toEqual([0, 0.8]);
  });

  test('leaves the settings of a folder alone whose connection was removed, until another one is chosen', () => {
    const { watch } = setUp();
    const conversionOfOld = { ...conversion, pitch: 9, speed: 4 };
    const settings = { ...folderOf('f').settings, connectionId: 'gone', conversion: conversionOfOld };
    watch.edit(folderOf('f', { settings }));
    expect([watch.form?.connection, watch.form?.settings.conversion]).toEqual([undefined, conversionOfOld]);
    expect(watch.form?.invalidFields).toEqual(['connection']);
    watch.form?.setConnection('local');
    expect(watch.form?.settings.conversion).toMatchObject({ pitch: 1, speed: 1 });
  });

  test('of a watched folder has its settings, and its voice before the catalogue is loaded', () => {
    const { watch } = setUp();
    const folder = folderOf('f', { settings: { ...folderOf('f').settings, dailyMinutes: 90, outputFolder: null } });
    watch.edit(folder);
    expect(watch.form?.settings).toEqual(folder.settings);
    expect(watch.form?.voice?.id).toBe(voice.id);
  });

  test('shows the latest preview, which a change of its settings makes stale', async () => {
    const gates: (() => void)[] = [];
    const requests: WatchSettings[] = [];
    const { form } = await openForm({
      preview: async ({ settings }) => {
        requests.push(settings);
        const count = requests.length;
        await new Promise<void>((go) => gates.push(go));
        return { files: [], count, texts: 0, seconds: 0, unmeasured: 0, refused: 0, ignored: 0, links: 0 };
      },
    });
    const previews = [form.loadPreview(), form.loadPreview()];
    gates[1]?.();
    gates[0]?.();
    await Promise.all(previews);
    expect([form.preview?.count, form.isLoadingPreview, form.isStale]).toEqual([2, false, false]);
    form.change({ speed: 0.9 });
    expect(form.isStale).toBe(false);
    form.isRecursive = true;
    expect(form.isStale).toBe(true);
  });

  test('shows why a preview failed', async () => {
    const { form } = await openForm({ preview: () => Promise.reject(new AppError('watch/missing', 'no')) });
    await form.loadPreview();
    expect([form.previewProblem?.code, form.preview, form.isLoadingPreview]).toEqual(['watch/missing', null, false]);
  });

  test('lists the selected formats in their fixed order', async () => {
    const { form } = await openForm();
    form.endings = ['.flac'];
    form.toggleEnding('.wav');
    expect(form.endings).toEqual(['.wav', '.flac']);
    form.toggleEnding('.flac');
    expect(form.endings).toEqual(['.wav']);
  });
});

test('the default output folder has the separator of the path', () => {
  expect([defaultOutputFolder('/a/b/'), defaultOutputFolder('C:\\a'), defaultOutputFolder('/a\\b')]).toEqual([
    '/a/b/Converted',
    'C:\\a\\Converted',
    '/a\\b/Converted',
  ]);
});

test('a limit is minutes from 1 to 100,000, or nothing', () => {
  expect(['', ' ', '60', '1,5', '1.5', '0', '100001', '-3', '1e3', 'x'].map(parseLimit)).toEqual([
    null,
    null,
    60,
    1.5,
    1.5,
    ...Array<undefined>(5).fill(undefined),
  ]);
});

test('lists the folders that use a voice, for its deletion (U8)', async () => {
  const uses = (voiceId: string, connectionId = 'local') => ({
    settings: { ...folderOf('f').settings, connectionId, conversion: { ...conversion, voiceId } },
  });
  const anna = { name: 'Anna', voiceId: 'mine', voiceName: 'Mine' };
  const speech = { ...defaultFolderSpeech({ pitch: ratio, speed: ratio }), speakers: [anna] };
  const { watch } = setUp({
    list: () =>
      Promise.resolve([
        folderOf('first', uses('mine')),
        folderOf('for a speaker', { settings: { ...uses('another').settings, speech } }),
        folderOf('other voice', uses('another')),
        folderOf('other service', uses('mine', 'studio')),
        folderOf('second', uses('mine')),
      ]),
  });
  await watch.load();
  expect(watch.foldersWith('local', 'mine')).toEqual(['first', 'for a speaker', 'second']);
  expect(watch.foldersWith(undefined, 'mine')).toEqual([]);
});

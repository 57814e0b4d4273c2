import { describe, expect, test } from 'vitest';
import { AppError } from '../../../../shared/errors.ts';
import type { ConnectionInfo } from '../../../../shared/schemas/connection.ts';
import type { WatchSettings } from '../../../../shared/schemas/watch.ts';
import type { Api } from '../../lib/api.ts';
import { jobOf } from '../jobs/job-of.fixture.ts';
import { Connections } from '../connections/connections.svelte.ts';
import { folderOf, watchApi } from './watch-api.fixture.ts';
import { convertedIn, parseLimit } from './folder-form.svelte.ts';
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
/** Until what is under way without anybody waiting for it has come. */
const settle = () => new Promise((resolve) => setTimeout(resolve));

function setUp(change: Partial<Api['watch']> = {}, folder: string | null = '/recordings/new') {
  const chosen = [folder];
  const api = {
    watch: watchApi(change),
    app: { chooseFolder: () => Promise.resolve(chosen.shift() ?? null) } as Partial<Api['app']> as Api['app'],
    voices: {
      list: () => Promise.resolve({ page: 0, limit: 100, total: 1, voices: [voice], readAt: 0, problem: null }),
    } as Partial<Api['voices']> as Api['voices'],
    models: {
      list: () => Promise.resolve({ page: 1, pages: 0, total: 0, models: [] }),
    } as Partial<Api['models']> as Api['models'],
  };
  const known = new Connections({} as Api['connections'], () => undefined);
  known.list = connections;
  const watch = new Watch(api, {
    connections: known,
    conversion: () => ({ connectionId: 'local', conversion }),
    onAttention: () => undefined,
  });
  return { watch, chosen };
}

async function newDraft(change: Partial<Api['watch']> = {}) {
  const { watch, chosen } = setUp(change);
  await watch.add();
  await settle();
  if (!watch.draft) throw new Error('No form was opened');
  return { watch, draft: watch.draft, chosen };
}

describe('watched folders', () => {
  test('that need a person are counted: files that wait for one, a question, a disk that is gone', async () => {
    const { watch } = setUp({
      list: () =>
        Promise.resolve([
          folderOf('calm'),
          folderOf('files', { attention: 2 }),
          folderOf('asks', { baseline: { files: 3, seconds: 9, isMeasured: true } }),
          folderOf('gone', { mode: 'offline' }),
          folderOf('paused', { mode: 'paused' }),
        ]),
    });
    await watch.load();
    expect([watch.needPerson, watch.selected?.id]).toEqual([3, 'calm']);
  });

  test('that cannot be listed leave the reason in their place', async () => {
    const { watch } = setUp({ list: () => Promise.reject(new AppError('data/unreadable', 'no')) });
    await watch.load();
    expect([watch.isRead, watch.listProblem?.code]).toEqual([false, 'data/unreadable']);
  });

  test('are converted in calls of at most 1,000 files', async () => {
    const counts: number[] = [];
    const { watch } = setUp({ convert: ({ paths }) => Promise.resolve(void counts.push(paths.length)) });
    await watch.convert(
      'f',
      Array.from({ length: 2500 }, (_, k) => String(k)),
    );
    expect(counts).toEqual([1000, 1000, 500]);
  });

  test('say why a wish failed, until the next one', async () => {
    const { watch } = setUp({ remove: () => Promise.reject(new AppError('internal', 'no')) });
    await watch.remove('f');
    expect(watch.problem?.code).toBe('internal');
    await watch.setPaused('f', true);
    expect(watch.problem).toBeNull();
  });

  test('are found by whatever an answer names them', async () => {
    const { watch } = setUp({ list: () => Promise.resolve([folderOf('a'), folderOf('b', { name: 'Bee' })]) });
    await watch.load();
    expect(['b', 'Bee', '/recordings/b', 'c'].map((name) => watch.find(name)?.id)).toEqual(['b', 'b', 'b', undefined]);
  });
});

describe('the form for a folder', () => {
  test('is not opened where the person thought better of it', async () => {
    const { watch } = setUp({}, null);
    await watch.add();
    expect(watch.draft).toBeNull();
  });

  test('begins with what recordings are converted with, into Converted in the folder', async () => {
    const { draft } = await newDraft();
    expect(draft.settings).toEqual({ ...folderOf('new').settings, path: '/recordings/new' });
    expect([draft.voice?.id, draft.faults]).toEqual([voice.id, []]);
  });

  test('takes the place of results along with the folder, unless somebody chose it', async () => {
    const { draft, chosen } = await newDraft();
    chosen.push('/other', '/results', '/third');
    await draft.chooseFolder();
    expect(draft.outputFolder).toBe('/other/Converted');
    await draft.chooseOutput();
    await draft.chooseFolder();
    expect([draft.path, draft.outputFolder]).toEqual(['/third', '/results']);
  });

  test('keeps the folder of results while they go beside the original', async () => {
    const { draft } = await newDraft();
    draft.place = 'beside';
    expect(draft.settings.outputFolder).toBeNull();
    draft.place = 'folder';
    expect(draft.settings.outputFolder).toBe('/recordings/new/Converted');
  });

  test('tells its faults once somebody wants to save, and sends nothing', async () => {
    const saved: unknown[] = [];
    const { watch, draft } = await newDraft({
      save: (input) => Promise.resolve((saved.push(input), folderOf('made'))),
    });
    draft.limit = 'a lot';
    draft.endings = [];
    draft.change({ voiceId: 'gone' });
    expect(draft.isFaulty('limit')).toBe(false);
    await watch.saveDraft();
    expect([draft.faults, draft.isFaulty('voice'), saved]).toEqual([['endings', 'voice', 'limit'], true, []]);
  });

  test('closes when it is saved, and the folder is chosen', async () => {
    const { watch } = await newDraft();
    await watch.saveDraft();
    expect([watch.draft, watch.selected?.id]).toEqual([null, 'made']);
  });

  test('shows at the field what main found wrong there, loses nothing, and forgives once it is changed', async () => {
    const { watch, draft, chosen } = await newDraft({
      save: () => Promise.reject(new AppError('watch/overlaps', 'no', { facts: { folder: '/recordings' } })),
    });
    draft.limit = '60';
    await watch.saveDraft();
    expect([watch.draft === draft, draft.refusalOf('path')?.code, draft.problem, draft.limit]).toEqual([
      true,
      'watch/overlaps',
      null,
      '60',
    ]);
    chosen.push('/elsewhere');
    await draft.chooseFolder();
    expect(draft.isFaulty('path')).toBe(false);
  });

  test('shows above all fields what belongs to none', async () => {
    const { watch, draft } = await newDraft({ save: () => Promise.reject(new AppError('data/unreadable', 'no')) });
    await watch.saveDraft();
    expect([draft.problem?.code, draft.isSaving]).toEqual(['data/unreadable', false]);
  });

  test('begins pitch anew where a connection counts it otherwise', async () => {
    const { draft } = await newDraft();
    draft.change({ pitch: 1.5, speed: 0.8 });
    draft.connect('north');
    expect([draft.settings.conversion.pitch, draft.settings.conversion.speed]).toEqual([0, 0.8]);
  });

  test('of a folder that is watched has its settings, and its voice before the catalogue is read', () => {
    const { watch } = setUp();
    const folder = folderOf('f', { settings: { ...folderOf('f').settings, dailyMinutes: 90, outputFolder: null } });
    watch.edit(folder);
    expect(watch.draft?.settings).toEqual(folder.settings);
    expect(watch.draft?.voice?.id).toBe(voice.id);
  });

  test('dries run by run: a later one ends an earlier one, and a change makes it stale', async () => {
    const gates: (() => void)[] = [];
    const asked: WatchSettings[] = [];
    const { draft } = await newDraft({
      preview: async ({ settings }) => {
        asked.push(settings);
        const count = asked.length;
        await new Promise<void>((go) => gates.push(go));
        return { files: [], count, seconds: 0, unmeasured: 0, refused: 0, ignored: 0, links: 0 };
      },
    });
    const runs = [draft.look(), draft.look()];
    gates[1]?.();
    gates[0]?.();
    await Promise.all(runs);
    expect([draft.preview?.count, draft.isLooking, draft.isStale]).toEqual([2, false, false]);
    draft.change({ speed: 0.9 });
    expect(draft.isStale).toBe(false);
    draft.isRecursive = true;
    expect(draft.isStale).toBe(true);
  });

  test('says why a dry run could not be made', async () => {
    const { draft } = await newDraft({ preview: () => Promise.reject(new AppError('watch/missing', 'no')) });
    await draft.look();
    expect([draft.previewProblem?.code, draft.preview, draft.isLooking]).toEqual(['watch/missing', null, false]);
  });

  test('chooses formats one by one, in their order', async () => {
    const { draft } = await newDraft();
    draft.endings = ['.flac'];
    draft.toggleEnding('.wav');
    expect(draft.endings).toEqual(['.wav', '.flac']);
    draft.toggleEnding('.flac');
    expect(draft.endings).toEqual(['.wav']);
  });
});

test('results go into Converted, with the separator of the path', () => {
  expect([convertedIn('/a/b/'), convertedIn('C:\\a'), convertedIn('/a\\b')]).toEqual([
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

test('knows the folders that a voice would be missing in when it is deleted (U8)', async () => {
  const uses = (voiceId: string, connectionId = 'local') => ({
    settings: { ...folderOf('f').settings, connectionId, conversion: { ...conversion, voiceId } },
  });
  const { watch } = setUp({
    list: () =>
      Promise.resolve([
        folderOf('first', uses('mine')),
        folderOf('other voice', uses('another')),
        folderOf('other service', uses('mine', 'studio')),
        folderOf('second', uses('mine')),
      ]),
  });
  await watch.load();
  expect(watch.foldersWith('local', 'mine')).toEqual(['first', 'second']);
  expect(watch.foldersWith(undefined, 'mine')).toEqual([]);
});

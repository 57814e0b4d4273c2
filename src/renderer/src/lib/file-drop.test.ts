import { describe, expect, test } from 'vitest';
import { AppError } from '../../../shared/errors.ts';
import { HistoryActions } from '../features/history/actions.svelte.ts';
import { agree, historyApi } from '../features/history/history.fixture.ts';
import { countDragged, createInternalDrag, FileDrop } from './file-drop.svelte.ts';

const isBlocked = () => false;
const onRecording = (file: File) => expect.fail(`${file.name} is no recording to try voices on`);
const onFolders = () => expect.fail('no folder is to be watched');

describe('files dragged over the window', () => {
  const file = (type: string) => ({ kind: 'file', type });
  const dragged = (...files: readonly File[]) =>
    ({
      dataTransfer: { items: [file('audio/wav')], files },
      preventDefault: () => undefined,
      target: null,
    }) as unknown as DragEvent;

  test('are counted as possible audio or as other files, without the texts, which Speech opens', () => {
    expect(
      countDragged([file('audio/mpeg'), file('video/mp4'), file(''), file('image/png'), file('text/plain')]),
    ).toEqual({ sounds: 3, others: 1 });
  });

  test('have no preview when only text or text files are dragged', () => {
    expect(countDragged([{ kind: 'string', type: 'text/plain' }])).toBeNull();
    expect(countDragged([file('text/plain'), file('text/csv')])).toBeNull();
  });

  test('have a preview until the pointer leaves the window, also if what they were over is removed meanwhile', () => {
    const state = new FileDrop({
      internalDrag: createInternalDrag(),
      isBlocked,
      onDrop: () => undefined,
      onRecording,
      onFolders,
    });
    const event = dragged();
    state.enter(event);
    state.enter(event);
    state.leave({ relatedTarget: new EventTarget() });
    expect(state.preview).toEqual({ sounds: 1, others: 0 });
    // A row that ends is removed: its `dragleave` does not reach the window.
    state.enter(event);
    state.leave({ relatedTarget: null });
    expect(state.preview).toBeNull();
  });

  test('are added when another program dragged them, and not when they come from the window itself', async () => {
    const internalDrag = createInternalDrag();
    const added: string[] = [];
    const onDrop = (files: readonly File[]) => added.push(...files.map(({ name }) => name));
    const state = new FileDrop({ internalDrag, isBlocked, onDrop, onRecording, onFolders });
    internalDrag.begin(Promise.resolve(['own.wav']));
    state.enter(dragged());
    expect(state.preview).toBeNull();
    await state.drop(dragged(new File([], 'own.wav')));
    await state.drop(dragged(new File([], 'other.wav')));
    expect(added).toEqual(['other.wav']);
  });
});

test('files are refused while a dialog is open', async () => {
  const fail = () => expect.fail('nothing is taken');
  const state = new FileDrop({
    internalDrag: createInternalDrag(),
    isBlocked: () => true,
    onDrop: fail,
    onRecording: fail,
    onFolders: fail,
  });
  const files = [new File([], 'a.wav')];
  const data = { items: [{ kind: 'file', type: '' }], types: ['Files'], files, dropEffect: 'copy' };
  let prevented = 0;
  const event = { target: null, preventDefault: () => prevented++ };
  const drag = { ...event, dataTransfer: data } as unknown as DragEvent;
  state.enter(drag);
  expect(state.preview).toBeNull();
  state.over(drag);
  expect(data.dropEffect).toBe('none');
  await state.drop(drag);
  state.paste({ ...event, clipboardData: { files } } as unknown as ClipboardEvent);
  // Otherwise the browser would open them.
  expect(prevented).toBe(4);
});

describe('files dropped on a voice', () => {
  /** The picture inside the button of a voice. */
  function voice(id: string) {
    const marks: boolean[] = [];
    const button = { dataset: { dropVoice: id }, toggleAttribute: (_name: string, isOn: boolean) => marks.push(isOn) };
    return { marks, target: { closest: () => button } };
  }
  const event = (target: unknown) =>
    ({
      dataTransfer: { items: [{ kind: 'file', type: 'audio/wav' }], types: ['Files'], files: [new File([], 'a.wav')] },
      preventDefault: () => undefined,
      target,
    }) as unknown as DragEvent;

  test('are added with it, and it is marked while they are over it', async () => {
    const added: unknown[] = [];
    const state = new FileDrop({
      internalDrag: createInternalDrag(),
      isBlocked,
      onDrop: (files, voiceId) => added.push([files.length, voiceId]),
      onRecording,
      onFolders,
    });
    const [low, clear] = [voice('low-bronze'), voice('clear-fjord')];
    state.enter(event(low.target));
    state.over(event(low.target));
    state.over(event(low.target));
    state.over(event(clear.target));
    expect([low.marks, clear.marks]).toEqual([[true, false], [true]]);
    await state.drop(event(clear.target));
    expect([clear.marks, added]).toEqual([[true, false], [[1, 'clear-fjord']]]);
  });
});

describe('files dropped where voices can be tried on a recording', () => {
  const marks: boolean[] = [];
  const place = { dataset: { dropRecording: '' }, toggleAttribute: (_: string, isOn: boolean) => marks.push(isOn) };
  const event = (...names: readonly string[]) =>
    ({
      dataTransfer: {
        items: names.map(() => ({ kind: 'file', type: 'audio/wav' })),
        types: ['Files'],
        files: names.map((name) => new File([], name)),
      },
      preventDefault: () => undefined,
      target: { closest: () => place },
    }) as unknown as DragEvent;

  test.each([
    ['are tried if it is one', ['a.wav'], ['tried a.wav'], [true, false]],
    ['are added if there are more', ['a.wav', 'b.wav'], ['added 2'], []],
  ])('%s', async (_, names, outcome, marked) => {
    marks.length = 0;
    const outcomes: string[] = [];
    const state = new FileDrop({
      internalDrag: createInternalDrag(),
      isBlocked,
      onDrop: ({ length }) => outcomes.push(`added ${length}`),
      onRecording: ({ name }) => outcomes.push(`tried ${name}`),
      onFolders,
    });
    state.enter(event(...names));
    state.over(event(...names));
    await state.drop(event(...names));
    expect([outcomes, marks]).toEqual([outcome, marked]);
  });
});

describe('what is dropped where folders are watched', () => {
  const marks: boolean[] = [];
  const place = { dataset: { dropFolder: '' }, toggleAttribute: (_: string, isOn: boolean) => marks.push(isOn) };
  const event = (...types: readonly string[]) =>
    ({
      dataTransfer: {
        items: types.map((type) => ({ kind: 'file', type })),
        types: ['Files'],
        files: types.map((type, k) => new File([], `${k}`, { type })),
      },
      preventDefault: () => undefined,
      target: { closest: () => place },
    }) as unknown as DragEvent;

  test.each([
    ['is marked while all of it may be folders', ['', ''], [true, false]],
    ['is not marked while a recording is among it', ['', 'audio/wav'], []],
  ])('%s', async (_, types, marked) => {
    marks.length = 0;
    const dropped: string[] = [];
    const state = new FileDrop({
      internalDrag: createInternalDrag(),
      isBlocked,
      onDrop: () => expect.fail('main is asked first'),
      onRecording,
      onFolders: (files) => dropped.push(...files.map(({ name }) => name)),
    });
    state.enter(event(...types));
    state.over(event(...types));
    await state.drop(event(...types));
    expect([dropped, marks]).toEqual([['0', '1'], marked]);
  });
});

describe('files dragged out of the window', () => {
  const files = (...names: readonly string[]) => names.map((name) => ({ name }));
  const out = (...names: readonly string[]) => {
    const drag = createInternalDrag();
    drag.begin(Promise.resolve(names));
    return drag;
  };

  test('are recognized when they are dropped on it', async () => {
    expect(await out('a.wav', 'b.wav').drop(files('b.wav', 'a.wav'))).toBe(true);
    expect(await out('Zo\u00eb.wav').drop(files('Zoe\u0308.wav'))).toBe(true);
  });

  test('are recognized when their names arrive after the drop', async () => {
    const drag = createInternalDrag();
    const names = Promise.withResolvers<readonly string[]>();
    drag.begin(names.promise);
    const isOwn = drag.drop(files('a.wav'));
    names.resolve(['a.wav']);
    expect(await isOwn).toBe(true);
  });

  test('are in a drag until the pointer moves without a button', async () => {
    const drag = out('a.wav');
    drag.move({ buttons: 1 });
    expect(drag.isActive).toBe(true);
    drag.move({ buttons: 0 });
    expect(drag.isActive).toBe(false);
    expect(await drag.drop(files('a.wav'))).toBe(false);
  });

  test('are recognized once', async () => {
    const drag = out('a.wav');
    await drag.drop(files('a.wav'));
    expect([drag.isActive, await drag.drop(files('a.wav'))]).toEqual([false, false]);
  });

  test('are not confused with files that another program drags next', async () => {
    expect(await out('a.wav').drop(files('b.wav'))).toBe(false);
    expect(await out('a.wav').drop(files('a.wav', 'b.wav'))).toBe(false);
  });

  test('are those that history named, and none when the system refuses the drag', async () => {
    const drag = createInternalDrag();
    const answers = [Promise.resolve({ names: ['a.wav'] }), Promise.reject(new AppError('history/no-drag', 'no'))];
    const actions = new HistoryActions(
      historyApi({ drag: () => answers.shift() ?? expect.fail('dragged again') }),
      drag,
      agree,
    );
    await actions.drag(['a']);
    expect(await drag.drop(files('a.wav'))).toBe(true);
    await actions.drag(['a']);
    expect([await drag.drop(files('a.wav')), actions.problem?.code]).toEqual([false, 'history/no-drag']);
  });
});

import { beforeEach, expect, test } from 'vitest';
import type { PassageState } from '../../../../shared/schemas/speech.ts';
import { splitText } from '../../../../shared/text/split-text.ts';
import { createPassageEdits, type PassageEdits } from './passage-edits.ts';

let speech: { text: string; write(text: string): void };
/** As main divides the text that was saved last. */
let passages: {
  text: string;
  list: readonly PassageState[];
  refresh(): Promise<void>;
  indexAt(offset: number): number;
};
let edits: PassageEdits;

const divide = (text: string): readonly PassageState[] =>
  splitText(text, { language: 'en', maxLength: null }).map(({ start, end, ends }) => ({
    ...{ start, end, ends },
    ...{ media: null, takes: [], durationSeconds: null },
  }));

beforeEach(() => {
  speech = { text: 'One gull. Two gulls.\n\nThree.', write: (text) => void (speech.text = text) };
  passages = {
    text: speech.text,
    list: divide(speech.text),
    async refresh() {
      await Promise.resolve();
      passages.text = speech.text;
      passages.list = divide(speech.text);
    },
    indexAt(offset) {
      const index = passages.list.findIndex(({ end }) => end > offset);
      return index < 0 ? passages.list.length - 1 : index;
    },
  };
  edits = createPassageEdits({ speech, passages });
});

const spoken = () => splitText(speech.text, { language: 'en', maxLength: null }).map(({ text }) => text);
function passage(index: number): PassageState {
  const found = passages.list[index];
  if (!found) throw new Error(`no passage ${index}`);
  return found;
}

test('new words replace those of one passage, and leave the text around them', async () => {
  expect(await edits.replace(passage(1), 'Four gulls!')).toBe(1);
  expect(speech.text).toBe('One gull. Four gulls!\n\nThree.');
});

test('a passage that is split is followed by its second half', async () => {
  expect(await edits.split(passage(1), 'Two grey gulls.', 'Two grey'.length)).toBe(2);
  expect(spoken()).toEqual(['One gull.', 'Two grey', 'gulls.', 'Three.']);
});

test('a passage is joined with the one before or after it, with its new words', async () => {
  expect(await edits.join(passage(1), 'Two.', 'before')).toBe(0);
  expect(spoken()).toEqual(['One gull. Two.', 'Three.']);
  expect(await edits.join(passage(0), 'Both are here.', 'after')).toBe(0);
  expect(spoken()).toEqual(['Both are here. Three.']);
  expect(await edits.join(passage(0), 'Alone.', 'after')).toBe(0);
  expect(spoken()).toEqual(['Alone.']);
});

test('a change waits for the one before it, which moved its passage', async () => {
  const [first, second] = [passage(0), passage(1)];
  await Promise.all([edits.join(first, 'One gull.', 'after'), edits.replace(second, 'Lost.')]);
  expect(spoken()).toEqual(['One gull. Two gulls.', 'Three.']);
  await Promise.all([edits.replace(passage(0), 'None. At all.'), edits.replace(passage(1), 'Four.')]);
  expect(spoken()).toEqual(['None.', 'At all.', 'Four.']);
});

test('a text is settled once the changes that wait for others are in it', async () => {
  void edits.replace(passage(0), 'One crow.');
  void edits.replace(passage(2), 'Four.');
  expect(speech.text).not.toContain('Four.');
  await edits.settled();
  expect(speech.text).toBe('One crow. Two gulls.\n\nFour.');
});

test('a passage is found again behind changes, unless its words are gone', async () => {
  void edits.replace(passage(0), 'A gull came. And went.');
  expect(await edits.indexOf(passage(2))).toBe(3);
  void edits.replace(passage(3), 'Four.');
  expect(await edits.indexOf(passage(3))).toBeNull();
});

test('a passage without words goes with its blanks, also the last one of all, and can be brought back', async () => {
  const { text } = speech;
  expect(await edits.join(passage(1), ' ', 'after')).toBe(1);
  expect(speech.text).toBe('One gull.\n\nThree.');
  expect(await edits.replace(passage(1), '')).toBe(0);
  expect(speech.text).toBe('One gull.');
  await edits.replace(passage(0), '');
  expect(speech.text).toBe('');
  expect(edits.canUndo()).toBe(true);
  await edits.undo();
  await edits.undo();
  await edits.undo();
  expect(speech.text).toBe(text);
  expect(edits.canUndo()).toBe(false);
});

test('changes are undone, the last one first', async () => {
  const { text } = speech;
  await edits.replace(passage(2), 'None.');
  await edits.split(passage(0), 'One gull.', 3);
  await edits.join(passage(0), 'Once', 'after');
  expect(spoken()).toEqual(['Once gull.', 'Two gulls.', 'None.']);
  expect(await edits.undo()).toBe(0);
  expect(spoken()).toEqual(['One', 'gull.', 'Two gulls.', 'None.']);
  await edits.undo();
  await edits.undo();
  expect(speech.text).toBe(text);
  expect(await edits.undo()).toBeNull();
});

test('nothing is undone once the text was changed elsewhere', async () => {
  await edits.replace(passage(0), 'Gone.');
  speech.write('A new text. With two sentences.\n\nAnd one.');
  expect(await edits.undo()).toBeNull();
  await passages.refresh();
  await edits.replace(passage(2), 'And another.');
  await edits.undo();
  expect(await edits.undo()).toBeNull();
  expect(speech.text).toBe('A new text. With two sentences.\n\nAnd one.');
});

test('texts that replaced each other come back one after the other, with what was typed between', async () => {
  const draft = speech.text;
  edits.replaceAll('A file.');
  speech.write('A file, changed.');
  edits.replaceAll('Another\r\nfile.');
  expect(speech.text).toBe('Another\nfile.');
  const seen: string[] = [];
  while (edits.canUndo()) {
    await edits.undo();
    seen.push(speech.text);
  }
  expect(seen).toEqual(['A file, changed.', 'A file.', draft]);
});

test('changes reach their words although the draft cannot be saved, and the list stays that of the text before', async () => {
  passages.refresh = () => Promise.resolve();
  const [first, second, third] = [passage(0), passage(1), passage(2)];
  await edits.replace(second, 'Two grey gulls!');
  await edits.replace(third, 'Four.');
  await edits.join(first, 'One seagull.', 'after');
  expect(speech.text).toBe('One seagull. Two grey gulls!\n\nFour.');
  await edits.replace(second, 'None.');
  expect(speech.text).toBe('One seagull. Two grey gulls!\n\nFour.');
});

import { basename } from 'node:path';
import { AppError } from '../../shared/errors.ts';
import type {
  AddedBatch,
  BatchPage,
  BatchRow,
  BatchSettings,
  OpenedTexts,
  TextDivision,
} from '../../shared/schemas/speech.ts';
import { isMarkdownPath } from '../../shared/schemas/watch.ts';
import { readSubtitles, subtitleCounts } from '../../shared/text/subtitles.ts';
import type { Pronunciation } from '../../shared/text/pronounce.ts';
import { speechTitle, textLength } from '../../shared/text/text-parts.ts';
import { createEventLoopYielder } from './clock.ts';
import type { Core } from './core.ts';
import type { SettingsStore } from './settings.ts';
import {
  assertBatchSize,
  type BatchText,
  isReady,
  nameTemplateFor,
  paragraphTexts,
  prepareBatch,
  readBatchFile,
  type ReadyText,
} from './speech/speech-batch.ts';
import type { SpeechDraft } from './speech/speech-draft.ts';
import { spokenPassages } from './speech/spoken-passages.ts';
import { readTextFileBytes } from './speech/text-file.ts';

interface Dependencies extends Pick<Core, 'connections' | 'voices' | 'queue'> {
  readonly draft: () => Promise<Pick<SpeechDraft, 'setOpened'>>;
  readonly settings: () => Promise<SettingsStore>;
  speechFolder(): string;
  pronunciations(): readonly Pronunciation[];
}

/** The texts that the user opened last, to be spoken as a job each. */
export interface OpenedBatch {
  open(paths: readonly string[]): Promise<OpenedTexts>;
  /** Opens the user's own text, to be divided into its paragraphs. */
  openDraft(text: string): Promise<OpenedTexts>;
  list(request: BatchSettings & { readonly from: number }): Promise<BatchPage>;
  /** Adds those that can be spoken. Throws `request/invalid` unless they are `count`, which the user has seen. */
  speak(request: BatchSettings & { readonly count: number }): Promise<AddedBatch>;
}

interface Prepared {
  readonly texts: readonly (BatchText | ReadyText)[];
  readonly states: readonly Pick<BatchRow, 'characters' | 'calls'>[];
  /** Of all texts together. */
  readonly characters: number;
  readonly calls: number;
}

const rowsPerPage = 200;
/** Of a text as long as a book the beginning is shown. */
const shownLength = 200;
const mostBytes = 64 * 1024 ** 2;

const charactersOf = (calls: ReadonlyMap<string, string>): number =>
  [...calls.values()].reduce((sum, words) => sum + textLength(words), 0);

/** Files, or the user's own text, which has no name but its first words. */
type Opened = readonly { readonly path: string; readonly bytes: Uint8Array }[] | { readonly draft: string };

async function read(opened: Opened, division: TextDivision): Promise<readonly BatchText[]> {
  if ('draft' in opened) return paragraphTexts('', speechTitle(opened.draft).replace(/…$/, ''), opened.draft);
  const texts: BatchText[] = [];
  for (const { path, bytes } of opened) texts.push(...(await readBatchFile(path, bytes, division)));
  return texts;
}

export function createOpenedBatch({
  connections,
  voices,
  queue,
  settings,
  speechFolder,
  pronunciations,
  draft,
}: Dependencies): OpenedBatch {
  let opened: Opened = [];
  let prepared: Promise<Prepared> | undefined;
  let preparedKey = '';

  async function prepare({ settings: speech, division }: BatchSettings): Promise<Prepared> {
    const parts = await read(opened, division);
    assertBatchSize(parts);
    const { connectionId } = (await settings()).get();
    const { document } = connections.get(connectionId);
    const maxLength = document.limits.maxTextLength;
    const speaker = await voices.get(connectionId, speech.voiceId);
    const texts = await prepareBatch(parts, {
      ...{ speaker, settings: { ...speech, voiceId: speaker.id }, pronunciations: pronunciations(), maxLength },
      findVoice: (id) => voices.get(connectionId, id),
      listVoices: () => voices.listAll(connectionId),
    });
    const { takes } = await queue();
    const all: { readonly text: BatchText | ReadyText; readonly state: Prepared['states'][number] }[] = [];
    const calls = new Map<string, string>();
    const yieldIfLate = createEventLoopYielder(() => performance.now());
    for (const text of texts) {
      const open = new Map<string, string>();
      for (const passage of isReady(text) ? spokenPassages(text.text, text.settings, maxLength) : []) {
        const key = takes.keyOf({ connectionId, address: document.hosts.voice, ...passage });
        if ((await takes.find(key)) === undefined) open.set(key.hash, passage.text);
      }
      all.push({ text, state: { characters: charactersOf(open), calls: open.size } });
      open.forEach((words, hash) => calls.set(hash, words));
      await yieldIfLate();
    }
    // What the user has to correct comes first.
    const sorted = [...all.filter(({ text }) => !isReady(text)), ...all.filter(({ text }) => isReady(text))];
    return {
      texts: sorted.map(({ text }) => text),
      states: sorted.map(({ state }) => state),
      // What several texts say is spoken once.
      characters: charactersOf(calls),
      calls: calls.size,
    };
  }

  const keyOf = async ({ settings: speech, division }: BatchSettings): Promise<string> =>
    JSON.stringify([(await settings()).get().connectionId, speech, division, pronunciations()]);

  /** What is cached counts only until something is spoken, so a first page reads it anew. */
  async function current(request: BatchSettings, isNew: boolean): Promise<Prepared> {
    const key = await keyOf(request);
    if (!prepared || isNew || preparedKey !== key) {
      preparedKey = key;
      const latest = prepare(request);
      prepared = latest;
      latest.catch(() => {
        if (prepared === latest) prepared = undefined;
      });
    }
    return prepared;
  }

  function toRow(text: BatchText | ReadyText, state: Prepared['states'][number] | undefined): BatchRow {
    const { file, row, title, problem } = text;
    const subtitles = text.textFormat === 'subtitles' ? readSubtitles(text.text) : null;
    const words = subtitles ? subtitles.cues.map((cue) => cue.words).join(' ') : text.text;
    return {
      ...{ file, row, title, problem },
      text: words.slice(0, shownLength).toWellFormed(),
      subtitles: subtitles && subtitleCounts(subtitles),
      voice: isReady(text) ? text.speaker.name : (text.voice ?? ''),
      language: isReady(text) ? text.settings.language : (text.language ?? ''),
      characters: state?.characters ?? 0,
      calls: state?.calls ?? 0,
    };
  }

  return {
    async open(paths) {
      const files: { readonly path: string; readonly bytes: Uint8Array }[] = [];
      let size = 0;
      for (const path of paths) {
        const bytes = await readTextFileBytes(path);
        size += bytes.length;
        if (size > mostBytes) throw new AppError('input/text-too-long', `more than ${mostBytes} bytes of texts`);
        files.push({ path, bytes });
      }
      const [first, second] = files;
      if (!first) throw new AppError('request/invalid', 'no files');
      const name = second ? null : basename(first.path);
      const texts = await read(files, 'whole');
      assertBatchSize(texts);
      const isDivided = async (division: TextDivision) => (await read(files, division)).length > texts.length;
      const hasChapters = files.some(({ path }) => isMarkdownPath(path)) && (await isDivided('chapters'));
      const [only, other] = texts;
      const isEditable = only?.row === null && !other && only.textFormat === null;
      if (isEditable && only.problem) {
        const facts = { ...only.problem.facts, file: basename(first.path) };
        throw new AppError(only.problem.code, 'not text', { facts });
      }
      const byParagraphs = (await isDivided('paragraphs')) ? (['paragraphs'] as const) : [];
      if (isEditable) (await draft()).setOpened(only.text);
      [opened, prepared] = [files, undefined];
      if (isEditable && !hasChapters) return { kind: 'text', name: name ?? '' };
      const divisions: readonly TextDivision[] = hasChapters
        ? ['chapters', ...byParagraphs, 'whole']
        : ['whole', ...byParagraphs];
      return { kind: 'batch', name, files: files.length, divisions, isEditable };
    },
    async openDraft(text) {
      const texts = await read({ draft: text }, 'paragraphs');
      assertBatchSize(texts);
      [opened, prepared] = [{ draft: text }, undefined];
      return { kind: 'batch', name: null, files: 0, divisions: ['paragraphs'], isEditable: false };
    },
    async list({ from, ...request }) {
      const { texts, states, characters, calls } = await current(request, from === 0);
      const ready = texts.filter(isReady).length;
      const next = from + rowsPerPage;
      return {
        rows: texts.slice(from, next).map((text, k) => toRow(text, states[from + k])),
        next: next < texts.length ? next : null,
        texts: texts.length,
        bad: texts.length - ready,
        characters,
        calls,
      };
    },
    async speak({ count, ...request }) {
      // The user must pay only for what is on screen.
      if (!prepared || preparedKey !== (await keyOf(request))) throw new AppError('request/invalid', 'not listed so');
      const ready = (await prepared).texts.filter(isReady);
      if (ready.length !== count) throw new AppError('request/invalid', `${count} texts of ${ready.length}`);
      const { connectionId, outputFolder, nameTemplate } = (await settings()).get();
      const { document } = connections.get(connectionId);
      const { submitJobs } = await queue();
      const shared = {
        connection: { id: connectionId, name: document.name, document },
        outputFolder: outputFolder ?? speechFolder(),
      };
      const { ids, createdIds } = await submitJobs.addTexts(
        ready.map((text) => ({
          text: text.text,
          request: {
            ...{ ...shared, voice: text.speaker, settings: text.settings },
            nameTemplate: nameTemplateFor(text, nameTemplate),
          },
        })),
      );
      return { added: createdIds.length, known: ids.length - createdIds.length };
    },
  };
}

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
import { readSubtitles } from '../../shared/text/subtitles.ts';
import type { Pronunciation } from '../../shared/text/pronounce.ts';
import { textLength } from '../../shared/text/text-parts.ts';
import type { Core } from '../core/core.ts';
import { speechTitle } from '../core/jobs/job.ts';
import type { SettingsStore } from '../core/settings.ts';
import {
  assertBatchSize,
  type BatchText,
  isReady,
  paragraphTexts,
  prepareBatch,
  readBatchFile,
  type ReadyText,
} from '../core/speech/speech-batch.ts';
import { readTextFileBytes, type SpeechDraft } from '../core/speech/speech-draft.ts';
import { spokenPassages } from '../core/speech/spoken-passages.ts';

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
  openDraft(text: string): OpenedTexts;
  list(request: BatchSettings & { readonly from: number }): Promise<BatchPage>;
  /** Adds those that can be spoken. Throws `request/invalid` unless they are `count`, which the user has seen. */
  speak(request: BatchSettings & { readonly count: number }): Promise<AddedBatch>;
}

interface Prepared {
  readonly texts: readonly (BatchText | ReadyText)[];
  readonly states: readonly Pick<BatchRow, 'characters' | 'calls'>[];
}

const rowsPerPage = 200;
/** Of a text as long as a book the beginning is shown. */
const shownLength = 200;
const mostBytes = 64 * 1024 ** 2;

/** The paragraphs of the user's own text, named after its first words. */
const draftTexts = (text: string): readonly BatchText[] =>
  paragraphTexts('', speechTitle(text).replace(/…$/, ''), text);

export function createOpenedBatch({
  connections,
  voices,
  queue,
  settings,
  speechFolder,
  pronunciations,
  draft,
}: Dependencies): OpenedBatch {
  let opened: readonly { readonly path: string; readonly bytes: Uint8Array }[] | { readonly draft: string } = [];
  let prepared: Promise<Prepared> | undefined;
  let preparedKey = '';

  async function read(division: TextDivision): Promise<readonly BatchText[]> {
    if ('draft' in opened) return draftTexts(opened.draft);
    const texts: BatchText[] = [];
    for (const { path, bytes } of opened) texts.push(...(await readBatchFile(path, bytes, division)));
    return texts;
  }

  async function prepare({ settings: speech, division }: BatchSettings): Promise<Prepared> {
    const parts = await read(division);
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
    const listed = texts.map(async (text) => {
      if (!isReady(text)) return { text, state: { characters: 0, calls: 0 } };
      const open = new Map<string, string>();
      for (const passage of spokenPassages(text.text, text.settings, maxLength)) {
        const key = takes.keyOf({ connectionId, address: document.hosts.voice, ...passage });
        if ((await takes.find(key)) === undefined) open.set(key.hash, passage.text);
      }
      const characters = [...open.values()].reduce((sum, words) => sum + textLength(words), 0);
      return { text, state: { characters, calls: open.size } };
    });
    const all = await Promise.all(listed);
    // What the user has to correct comes first.
    const sorted = [...all.filter(({ text }) => !isReady(text)), ...all.filter(({ text }) => isReady(text))];
    return { texts: sorted.map(({ text }) => text), states: sorted.map(({ state }) => state) };
  }

  /** What is cached counts only until something is spoken, so a first page reads it anew. */
  async function current(request: BatchSettings, isNew: boolean): Promise<Prepared> {
    const key = JSON.stringify([(await settings()).get().connectionId, request.settings, request.division]);
    if (!prepared || isNew || preparedKey !== key) {
      preparedKey = key;
      prepared = prepare(request);
      prepared.catch(() => (prepared = undefined));
    }
    return prepared;
  }

  function toRow(text: BatchText | ReadyText, state: Prepared['states'][number] | undefined): BatchRow {
    const { file, row, title, problem } = text;
    const cues = text.textFormat === 'subtitles' ? readSubtitles(text.text).cues : null;
    const words = cues ? cues.map((cue) => cue.words).join(' ') : text.text;
    return {
      ...{ file, row, title, problem },
      text: words.slice(0, shownLength).toWellFormed(),
      subtitles: cues && cues.length,
      voice: isReady(text) ? text.speaker.name : (text.voice ?? ''),
      language: isReady(text) ? text.settings.language : (text.language ?? ''),
      characters: state?.characters ?? 0,
      calls: state?.calls ?? 0,
    };
  }

  return {
    async open(paths) {
      const files = [];
      let size = 0;
      for (const path of paths) {
        const bytes = await readTextFileBytes(path);
        size += bytes.length;
        if (size > mostBytes) throw new AppError('input/text-too-long', `more than ${mostBytes} bytes of texts`);
        files.push({ path, bytes });
      }
      const [first, second] = files;
      if (!first) throw new AppError('request/invalid', 'no files');
      opened = files;
      prepared = undefined;
      const name = second ? null : basename(first.path);
      const texts = await read('whole');
      assertBatchSize(texts);
      const isDivided = async (division: TextDivision) => (await read(division)).length > texts.length;
      const hasChapters = files.some(({ path }) => isMarkdownPath(path)) && (await isDivided('chapters'));
      const [only, other] = texts;
      const isEditable = only?.row === null && !other && only.textFormat === null;
      if (isEditable && only.problem) {
        const facts = { ...only.problem.facts, file: basename(first.path) };
        throw new AppError(only.problem.code, 'not text', { facts });
      }
      if (isEditable) (await draft()).setOpened(only.text);
      if (isEditable && !hasChapters) return { kind: 'text', name: name ?? '' };
      const byParagraphs = (await isDivided('paragraphs')) ? (['paragraphs'] as const) : [];
      const divisions: readonly TextDivision[] = hasChapters
        ? ['chapters', ...byParagraphs, 'whole']
        : ['whole', ...byParagraphs];
      return { kind: 'batch', name, files: files.length, divisions, isEditable };
    },
    openDraft(text) {
      if (draftTexts(text).length === 0) throw new AppError('request/invalid', 'a single paragraph');
      opened = { draft: text };
      prepared = undefined;
      return { kind: 'batch', name: null, files: 0, divisions: ['paragraphs'], isEditable: false };
    },
    async list({ from, ...request }) {
      const { texts, states } = await current(request, from === 0);
      const ready = texts.filter(isReady).length;
      const next = from + rowsPerPage;
      return {
        rows: texts.slice(from, next).map((text, k) => toRow(text, states[from + k])),
        next: next < texts.length ? next : null,
        texts: texts.length,
        bad: texts.length - ready,
        characters: states.reduce((sum, { characters }) => sum + characters, 0),
        calls: states.reduce((sum, { calls }) => sum + calls, 0),
      };
    },
    async speak({ count, ...request }) {
      const { texts } = await current(request, false);
      const ready = texts.filter(isReady);
      // The user must pay only for what is on screen.
      if (ready.length !== count) throw new AppError('request/invalid', `${count} texts of ${ready.length}`);
      const { connectionId, outputFolder, nameTemplate } = (await settings()).get();
      const { document } = connections.get(connectionId);
      const { submitJobs } = await queue();
      const shared = {
        connection: { id: connectionId, name: document.name, document },
        outputFolder: outputFolder ?? speechFolder(),
      };
      const { ids, createdIds } = await submitJobs.addTexts(
        ready.map(({ text, speaker, settings: own, hasName }) => ({
          text,
          request: { ...shared, voice: speaker, settings: own, nameTemplate: hasName ? '{name}' : nameTemplate },
        })),
      );
      return { added: createdIds.length, known: ids.length - createdIds.length };
    },
  };
}

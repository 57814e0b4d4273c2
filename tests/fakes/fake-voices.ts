import { AppError, type Problem } from '../../src/shared/errors.ts';
import type { Handlers } from '../../src/shared/ipc/define-contract.ts';
import type { Contract } from '../../src/shared/ipc/contract.ts';
import { fakeWaveform } from './fake-waveform.ts';
import type {
  Excerpt,
  Model,
  Voice,
  VoiceDetail,
  VoiceFeatures,
  VoicePreview,
} from '../../src/shared/schemas/voice.ts';

/** What a scene may set besides the list of voices. */
export interface VoiceServiceScene {
  /** The service is unreachable; the catalogue is a cached copy of this age. */
  readonly copy?: { readonly ageMs: number; readonly problem: Problem };
  readonly favourites?: readonly string[];
  /** Voices that results were last made with. */
  readonly recent?: readonly string[];
  /** Voices that are gone, as results were made with them. */
  readonly lastUsed?: readonly Voice[];
  /** The question before the first preview. Without it, every voice can be heard. */
  readonly previewQuestion?: Extract<VoicePreview, { readonly kind: 'ask' }>;
  /** The user's notes, by voice. */
  readonly notes?: Readonly<Record<string, string>>;
  /** Voices whose preview would be a call; the first was called before. */
  readonly unmade?: readonly string[];
  /** Voices with a preview. */
  readonly heard?: readonly string[];
  readonly models?: readonly Model[];
  /** The part of a recording that voices are heard with. */
  readonly excerpt?: Excerpt | null;
  /** Details that differ from the defaults. */
  readonly detail?: Partial<VoiceDetail>;
  /** The error of `models.create`, instead of a model. */
  readonly refusal?: Problem;
}

const matches = (voice: Voice, filters: Pick<Voice, 'category' | 'language'> & { readonly gender: string }): boolean =>
  (['category', 'language', 'gender'] as const).every((name) => filters[name] === '' || filters[name] === voice[name]);

/** Different for each voice, and always the same. */
const featuresOf = (voiceId: string): VoiceFeatures => {
  const sum = new TextEncoder().encode(voiceId).reduce((total, byte) => total + byte, 0);
  return { f0Hz: 80 + (sum % 200), brightness: 0.2 + (sum % 50) / 100, levelDb: -20 };
};

const thrown = ({ code, facts, words }: Problem) => new AppError(code, 'from the scene', { facts, words });

/** Voices and models in memory, filtered and paged as a service does. */
export function fakeVoices({
  voices,
  voiceService = {},
}: {
  readonly voices: readonly Voice[];
  readonly voiceService?: VoiceServiceScene;
}): Pick<Handlers<Contract>, 'voices' | 'models'> {
  const { copy, detail, refusal } = voiceService;
  const { unmade = [] } = voiceService;
  const { lastUsed = [], recent = [], heard = [], previewQuestion } = voiceService;
  let favourites = voiceService.favourites ?? [];
  let notes = voiceService.notes ?? {};
  let models = voiceService.models ?? [];
  let excerpt = voiceService.excerpt ?? null;

  return {
    voices: {
      findLastUsed: ({ voiceId }) => lastUsed.find(({ id }) => id === voiceId) ?? null,
      list({ page, limit, ...filters }) {
        const found = voices.filter((voice) => matches(voice, filters));
        return {
          page,
          limit,
          total: found.length,
          voices: found.slice(page * limit, (page + 1) * limit),
          readAt: Date.now() - (copy?.ageMs ?? 240_000),
          problem: copy?.problem ?? null,
        };
      },
      get({ voiceId }) {
        const voice = voices.find(({ id }) => id === voiceId);
        if (!voice) throw new AppError('service/not-found', voiceId, { words: 'Invalid voice identifier.' });
        return {
          ...voice,
          voiceId,
          description: 'Warm, close and unhurried. Keeps its clarity at low volume; made for long listening.',
          pitch: '178 Hz',
          speed: '1.0',
          supportedFormats: ['wav', 'mp3', 'flac', 'ogg'],
          ...detail,
        };
      },
      listFavourites: () => favourites,
      listRecent: () => recent,
      setFavourite({ voiceId, isFavourite }) {
        const others = favourites.filter((id) => id !== voiceId);
        favourites = isFavourite ? [...others, voiceId] : others;
        return favourites;
      },
      listNotes: () => notes,
      setNote({ voiceId, text }) {
        notes = { ...notes, [voiceId]: text };
      },
      preview({ voiceId, spending }) {
        if (spending === 'nothing' && unmade.includes(voiceId))
          return { kind: 'not-made', wasRequested: voiceId === unmade[0] };
        return previewQuestion && spending !== 'agreed'
          ? previewQuestion
          : { kind: 'ready', media: voiceId, features: featuresOf(voiceId) };
      },
      cancelPreviews: () => undefined,
      getExcerpt: () => excerpt,
      chooseRecording: () => '/home/user/interview with Ann, second take.wav',
      openRecording: () => ({
        id: 'opened',
        name: excerpt?.name ?? 'interview with Ann, second take.wav',
        durationSeconds: 94,
        columns: fakeWaveform('part', 'source', 94).columns,
        startSeconds: excerpt?.startSeconds ?? 3.2,
        seconds: excerpt?.seconds ?? 10,
      }),
      cutExcerpt({ startSeconds, seconds }) {
        excerpt = { id: 'part', name: excerpt?.name ?? 'interview with Ann, second take.wav', startSeconds, seconds };
        return excerpt;
      },
      removeExcerpt: () => void (excerpt = null),
      listFeatures: () => Object.fromEntries(heard.map((voiceId) => [voiceId, featuresOf(voiceId)])),
    },
    models: {
      list: ({ page, limit }) => ({
        page,
        pages: Math.ceil(models.length / limit),
        total: models.length,
        models: models.slice((page - 1) * limit, page * limit),
      }),
      remove({ name }) {
        if (!models.some((model) => model.name === name)) {
          throw new AppError('service/not-found', name, { words: 'Invalid model name.' });
        }
        models = models.filter((model) => model.name !== name);
        return { modelName: name, message: 'The model has been deleted.' };
      },
      create({ name, languageCode }) {
        if (refusal) throw thrown(refusal);
        const id = `made-${models.length}`;
        const creationDate = new Date().toISOString();
        models = [{ id, name, voiceId: id, languageCode, gender: 'female', creationDate }, ...models];
        return { modelId: id };
      },
    },
  };
}

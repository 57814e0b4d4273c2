import { AppError, type Problem } from '../../src/shared/errors.ts';
import type { Handlers } from '../../src/shared/ipc/contract-types.ts';
import type { Contract } from '../../src/shared/ipc/contract.ts';
import type { Model, Voice, VoiceDetail } from '../../src/shared/schemas/voice.ts';

/** What a scene may say of voices beside their list. */
export interface VoiceDesk {
  /** The service cannot be asked: the catalogue is a copy of this age. */
  readonly copy?: { readonly ageMs: number; readonly problem: Problem };
  readonly favourites?: readonly string[];
  readonly models?: readonly Model[];
  /** What details say other than usual. */
  readonly detail?: Partial<VoiceDetail>;
  /** What `models.create` answers with instead of a model. */
  readonly refusal?: Problem;
}

const fits = (voice: Voice, filters: Pick<Voice, 'category' | 'language'> & { readonly gender: string }): boolean =>
  (['category', 'language', 'gender'] as const).every((name) => filters[name] === '' || filters[name] === voice[name]);

const thrown = ({ code, facts, words }: Problem) => new AppError(code, 'told by the scene', { facts, words });

/** Voices and models in memory, filtered and paged as a service does. */
export function fakeVoices({
  voices,
  voiceDesk = {},
}: {
  readonly voices: readonly Voice[];
  readonly voiceDesk?: VoiceDesk;
}): Pick<Handlers<Contract>, 'voices' | 'models'> {
  const { copy, detail, refusal } = voiceDesk;
  let favourites = voiceDesk.favourites ?? [];
  let models = voiceDesk.models ?? [];

  return {
    voices: {
      list({ page, limit, ...filters }) {
        const found = voices.filter((voice) => fits(voice, filters));
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
      setFavourite({ voiceId, isFavourite }) {
        const others = favourites.filter((id) => id !== voiceId);
        favourites = isFavourite ? [...others, voiceId] : others;
        return favourites;
      },
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

import { AppError } from '../../shared/errors.ts';
import type { Handlers } from '../../shared/ipc/define-contract.ts';
import type { Contract } from '../../shared/ipc/contract.ts';
import { voiceOfModel } from '../../shared/schemas/voice.ts';
import type { Clock } from '../core/clock.ts';
import type { ConnectionRegistry } from '../core/connections/connection-registry.ts';
import type { Core } from '../core/core.ts';
import type { AttendedReads } from '../core/files/attended-reads.ts';
import { soundOf } from '../core/recorded-sound.ts';
import type { VoiceCatalogue } from '../core/voices/voice-catalogue.ts';
import type { AllowedPaths } from './allowed-paths.ts';
import type { Dialogs } from './dialogs.ts';

interface ModelDependencies extends Pick<Core, 'signal'>, Pick<Dialogs, 'chooseFile'> {
  readonly connections: Pick<ConnectionRegistry, 'get' | 'service'>;
  readonly voices: Pick<VoiceCatalogue, 'remember' | 'forgetOwn'>;
  readonly clock: Clock;
}

export function createModelHandlers({
  connections,
  voices,
  signal,
  chooseFile,
  clock,
}: ModelDependencies): Handlers<Contract>['models'] {
  let reads: AttendedReads | undefined;

  return {
    async list({ connectionId, ...query }) {
      const page = await connections.service(connectionId).listModels(query, signal);
      voices.remember(connectionId, page.models.map(voiceOfModel));
      return page;
    },
    async remove({ connectionId, name }) {
      const deleted = await connections.service(connectionId).deleteModel(name, signal);
      voices.forgetOwn(connectionId, name);
      return deleted;
    },
    async create({ connectionId, name, languageCode }) {
      if (connections.get(connectionId).kind !== 'local') {
        throw new AppError('request/invalid', `connection ${connectionId} cannot make voices`);
      }
      const path = await chooseFile();
      if (path === null) return null;
      const { createAttendedReads } = await import('../core/files/attended-reads.ts');
      reads ??= createAttendedReads(clock, process.platform);
      const model = { name, languageCode, path };
      return reads.read({ key: path, path }, signal, (attended) =>
        connections.service(connectionId).createModel(model, attended.signal),
      );
    },
  };
}

/** More would fill the first screen of a list. */
const mostRecent = 5;

type VoiceDependencies = Pick<Core, 'voices' | 'connections' | 'data' | 'queue' | 'signal'> &
  Pick<Dialogs, 'chooseFile'> & { readonly places: AllowedPaths };

export const createVoiceHandlers = ({
  voices,
  connections,
  data,
  queue,
  places,
  chooseFile,
  signal,
}: VoiceDependencies): Handlers<Contract>['voices'] => ({
  list: ({ connectionId, ...query }) => voices.listPage(connectionId, query),
  get: ({ connectionId, voiceId }) => connections.service(connectionId).voiceDetail(voiceId, signal),
  findLastUsed: async ({ connectionId, voiceId }) => (await queue()).store.findLastVoice(connectionId, voiceId) ?? null,
  listFavourites: async ({ connectionId }) => (await data()).favourites.list(connectionId),
  listRecent: async ({ connectionId }) => (await queue()).store.recentVoices(connectionId, mostRecent),
  async setFavourite({ connectionId, voiceId, isFavourite }) {
    const { favourites } = await data();
    // Throws for a deleted connection, whose favourites could never be removed.
    connections.get(connectionId);
    favourites.set(connectionId, voiceId, isFavourite);
    return favourites.list(connectionId);
  },
  listNotes: async ({ connectionId }) => (await data()).notes.list(connectionId),
  async setNote({ connectionId, voiceId, text }) {
    const { notes } = await data();
    connections.get(connectionId);
    notes.set(connectionId, voiceId, text);
  },
  async preview({ connectionId, voiceId, ...request }) {
    const { previews } = await data();
    return previews.request({ ...request, connectionId, voice: await voices.get(connectionId, voiceId) });
  },
  cancelPreviews: async () => (await data()).previews.cancel(),
  getExcerpt: async () => (await data()).excerpts.current(),
  async chooseRecording() {
    const path = await chooseFile();
    if (path !== null) places.allow(path);
    return path;
  },
  async openRecording(origin) {
    const { excerpts, queue: jobs } = await data();
    switch (origin.from) {
      case 'kept':
        return excerpts.open(null);
      case 'file':
        places.assertAllowed(origin.path);
        return excerpts.open(origin.path);
      case 'job': {
        const job = jobs.store.get(origin.id);
        const sound = job && soundOf(job, 'source');
        if (!sound) throw new AppError('job/not-found', `job ${origin.id} has no recording`);
        return excerpts.open(sound.path);
      }
    }
  },
  cutExcerpt: async (part) => (await data()).excerpts.cut(part),
  removeExcerpt: async () => (await data()).excerpts.remove(),
  listFeatures: async ({ connectionId }) => (await data()).previews.features(connectionId),
});

import type { Contract } from '../../shared/contract.ts';
import type { Handlers } from '../../shared/contract-types.ts';
import type { Core } from '../core/core.ts';

export const createVoiceHandlers = ({
  voices,
  connections,
  data,
  signal,
}: Pick<Core, 'voices' | 'connections' | 'data' | 'signal'>): Handlers<Contract>['voices'] => ({
  list: ({ connectionId, ...query }) => voices.page(connectionId, query),
  detail: ({ connectionId, voiceId }) => connections.service(connectionId).voiceDetail(voiceId, signal),
  favourites: async ({ connectionId }) => (await data()).favourites.list(connectionId),
  async setFavourite({ connectionId, voiceId, isFavourite }) {
    const { favourites } = await data();
    // Marks of a connection that is gone would be nobody's to remove.
    connections.get(connectionId);
    favourites.set(connectionId, voiceId, isFavourite);
    return favourites.list(connectionId);
  },
});

import type { Contract } from '../../shared/contract.ts';
import type { Handlers } from '../../shared/contract-types.ts';
import type { VoiceCatalogue } from '../core/voices/voice-catalogue.ts';

export const createVoiceHandlers = (catalogue: VoiceCatalogue): Handlers<Contract>['voices'] => ({
  list: ({ connectionId, page }) => catalogue.page(connectionId, page),
});

import { AppError } from '../../../shared/app-error.ts';
import type { ErrorCode } from '../../../shared/error-code.ts';
import { voiceOfModel } from '../../../shared/voice-of-model.ts';
import type { Voice } from '../../../shared/wire/voice.ts';
import type { VoiceService } from '../voice-service/voice-service.ts';

const pageLimit = 100;
/** How services answer that have catalogues and no list of models. */
const noSuchList: ReadonlySet<ErrorCode> = new Set([
  'connection/invalid',
  'service/not-found',
  'service/refused',
  'service/not-understood',
]);

/**
 * One of the person's own voices, which are in no catalogue. Undefined where there is none, or where the service has no such list;
 * throws what kept it from answering.
 */
export async function findOwnVoice(
  service: Pick<VoiceService, 'listModels'>,
  id: string,
  signal: AbortSignal,
): Promise<Voice | undefined> {
  try {
    for (let page = 1; ; page += 1) {
      const { models, pages } = await service.listModels({ page, limit: pageLimit }, signal);
      const found = models.find(({ voiceId }) => voiceId === id);
      if (found || models.length === 0 || page >= pages) return found && voiceOfModel(found);
    }
  } catch (error) {
    if (error instanceof AppError && noSuchList.has(error.code)) return undefined;
    throw error;
  }
}

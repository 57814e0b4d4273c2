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

/** Of each of the two lists: a lookup that goes through both asks no more than a thousand times. */
const mostPages = 500;
const mostEntries = 1_000_000;

/**
 * Whether to ask for another page of a list: not behind one that brings nothing new. Throws `service/not-understood` where the service
 * promises more than there can be, or brings something new without an end.
 */
export function createListing(list: 'voices' | 'models') {
  const ids = new Set<string>();
  let pages = 0;
  return {
    add(entries: readonly { readonly id: string }[], total: number): boolean {
      pages += 1;
      const before = ids.size;
      for (const { id } of entries) ids.add(id);
      if (pages >= mostPages || total > mostEntries) {
        throw new AppError('service/endless-list', `the list of ${list} has no end: page ${pages}, total ${total}`);
      }
      return ids.size > before;
    },
  };
}

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
    const listing = createListing('models');
    for (let page = 1; ; page += 1) {
      const { models, pages, total } = await service.listModels({ page, limit: pageLimit }, signal);
      const found = models.find(({ voiceId }) => voiceId === id);
      if (found) return voiceOfModel(found);
      if (page >= pages || !listing.add(models, total)) return undefined;
    }
  } catch (error) {
    if (error instanceof AppError && noSuchList.has(error.code)) return undefined;
    throw error;
  }
}

import { unlessAborted } from '../main/core/unless-aborted.ts';
import { AppError } from '../shared/app-error.ts';
import type { Voice } from '../shared/wire/voice.ts';
import type { Session } from './session.ts';

const pageLimit = 100;

/** One of the person's own voices, which are in no catalogue. Undefined where there is none, or where a service has no such list. */
async function findModel({ core, connectionId }: Session, id: string, signal: AbortSignal): Promise<Voice | undefined> {
  const service = core.connections.service(connectionId);
  try {
    for (let page = 1; ; page += 1) {
      const { models, pages } = await service.listModels({ page, limit: pageLimit }, signal);
      const found = models.find(({ voiceId }) => voiceId === id);
      if (found) {
        const { name, languageCode, gender } = found;
        return { id, name, language: languageCode, gender, category: 'model' };
      }
      if (models.length === 0 || page >= pages) return undefined;
    }
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof AppError) return undefined;
    throw error;
  }
}

/** The voice that `--voice` names, of the catalogue or the person's own. Throws `voice/not-found`. */
export async function findVoice(session: Session, id: string, signal: AbortSignal): Promise<Voice> {
  const { core, connectionId } = session;
  try {
    return await unlessAborted(core.voices.voice(connectionId, id), signal);
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'voice/not-found') throw error;
    const model = await findModel(session, id, signal);
    if (!model) throw error;
    return model;
  }
}

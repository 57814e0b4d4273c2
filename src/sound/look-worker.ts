import { servePool } from './serve-pool.ts';
import { lookAtSound, type LookReply, type LookRequest } from './sound-looks.ts';

const errorCode = (error: unknown) =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;

/** Entry of the worker thread that inspects files. */
servePool(async ({ path }: LookRequest, signal): Promise<LookReply> => {
  try {
    return { kind: 'found', found: await lookAtSound(path, { signal }) };
  } catch (error) {
    return { kind: 'failed', code: errorCode(error), message: error instanceof Error ? error.message : String(error) };
  }
});

import { servePool } from './serve-pool.ts';
import { inspectAndVerify, type InspectReply, type InspectRequest } from './sound-inspector.ts';

/** Entry of the worker thread that inspects files. */
servePool(async ({ path }: InspectRequest, signal): Promise<InspectReply> => {
  try {
    return { kind: 'found', found: await inspectAndVerify(path, { signal }) };
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    const { code, syscall } = error as NodeJS.ErrnoException;
    return { kind: 'failed', error: { code, syscall }, message: error.message };
  }
});

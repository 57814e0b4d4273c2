import { servePool } from './serve-pool.ts';
import { inspectAndVerify, type InspectReply, type InspectRequest } from './sound-inspector.ts';

const errorCode = (error: unknown) =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;

/** Entry of the worker thread that inspects files. */
servePool(async ({ path }: InspectRequest, signal): Promise<InspectReply> => {
  try {
    return { kind: 'found', found: await inspectAndVerify(path, { signal }) };
  } catch (error) {
    return { kind: 'failed', code: errorCode(error), message: error instanceof Error ? error.message : String(error) };
  }
});

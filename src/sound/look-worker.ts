import type { SoundInspection } from './inspect-sound.ts';
import { servePool } from './serve-pool.ts';
import { lookAtSound } from './sound-looks.ts';

export interface LookRequest {
  readonly path: string;
}

/** An error of the system is handed over by its code: whoever asked has its own answer to each. */
export type LookReply =
  | { readonly kind: 'found'; readonly found: SoundInspection }
  | { readonly kind: 'failed'; readonly code: string | undefined; readonly message: string };

const codeOf = (error: unknown) =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;

/** Entry of the thread that looks at files before anything is done with them. */
servePool(async ({ path }: LookRequest, signal): Promise<LookReply> => {
  try {
    return { kind: 'found', found: await lookAtSound(path, { signal }) };
  } catch (error) {
    return { kind: 'failed', code: codeOf(error), message: error instanceof Error ? error.message : String(error) };
  }
});

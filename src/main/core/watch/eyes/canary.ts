import { randomBytes } from 'node:crypto';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

export const canaryPrefix = '.timbre-canary-';

interface Dependencies {
  readonly root: string;
  /** Calls back with each hint of the root until the returned function is called. */
  readonly onHint: (listener: (path: string) => void) => () => void;
  readonly signal: AbortSignal;
  readonly waitMs?: number;
}

/** An event takes milliseconds; a loop under load may take a second to tell it. */
const defaultWaitMs = 2000;
const againMs = 250;

/**
 * Writes a file that nobody sees and waits to be told of it: does this disk tell anything at all? `silent` after two seconds, and where
 * none can be written, because then nobody knows. The file is removed in any case.
 */
export async function singCanary({
  root,
  onHint,
  signal,
  waitMs = defaultWaitMs,
}: Dependencies): Promise<'heard' | 'silent'> {
  const name = `${canaryPrefix}${randomBytes(8).toString('hex')}`;
  const path = join(root, name);
  const heard = Promise.withResolvers<'heard' | 'silent'>();
  const giveUp = () => heard.resolve('silent');
  const forget = onHint((hinted) => {
    if (hinted === name) heard.resolve('heard');
  });
  const timer = setTimeout(giveUp, waitMs);
  // Whatever listens may begin to do so only now.
  const again = setInterval(() => void writeFile(path, 'again').catch(giveUp), againMs);
  signal.addEventListener('abort', giveUp, { once: true });
  try {
    await writeFile(path, '', { flag: 'wx' });
    return await heard.promise;
  } catch {
    return 'silent';
  } finally {
    forget();
    clearTimeout(timer);
    clearInterval(again);
    signal.removeEventListener('abort', giveUp);
    await rm(path, { force: true }).catch(() => undefined);
  }
}

import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';

/** What `process.stdin` is, or a pipe in a test. */
type Source = NodeJS.ReadableStream & { readonly isTTY?: boolean };

interface Listeners {
  onReady(): void;
  onInterrupt(): void;
}

/**
 * The first line of stdin, trimmed; empty where there is none. A terminal does not show it, and Ctrl-C there does what it does
 * everywhere (`onInterrupt`); `onReady` is called once nothing that is typed is shown any more. Throws the signal's reason once that is aborted.
 */
export async function readSecret(
  source: Source,
  { onReady, onInterrupt }: Listeners,
  signal: AbortSignal,
): Promise<string> {
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
  const lines = createInterface({ input: source, output: nowhere, terminal: source.isTTY === true, historySize: 0 });
  const stop = () => lines.close();
  signal.addEventListener('abort', stop);
  lines.on('SIGINT', onInterrupt);
  onReady();
  try {
    const line = await new Promise<string>((resolve) => {
      lines.once('line', resolve);
      lines.once('close', () => resolve(''));
    });
    signal.throwIfAborted();
    return line.trim();
  } finally {
    signal.removeEventListener('abort', stop);
    lines.close();
  }
}

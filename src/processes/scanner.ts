import * as v from 'valibot';
import { createLocalScanner } from '../main/core/scanner/local-scanner.ts';
import { scannerRequest, type ScannerRequest } from '../main/core/scanner/scanner.ts';
import { parentChannel } from './parent-channel.ts';

/**
 * The watcher's process: scanner that are spoken to in messages. What is known of a hundred thousand files, and the work of a folder in
 * which they all arrive at once, stay in here. It ends when it is told to, and with its parent.
 */
function runWatcherProcess(): void {
  const parent = parentChannel();
  if (!parent) throw new Error('the watcher is started by another process');
  const scanner = createLocalScanner();
  const leave = () => void scanner.stop().finally(() => process.exit(0));

  function follow(request: ScannerRequest): void {
    switch (request.type) {
      case 'watch':
        scanner.watch(request.root);
        break;
      case 'unwatch':
        scanner.unwatch(request.id);
        break;
      case 'await-stable':
        scanner.awaitStable(request.id, request.paths);
        break;
      case 'probe-durations':
        scanner.probeDurations(request.id, request.paths);
        break;
      case 'rescan':
        scanner.rescan();
        break;
      case 'stop':
        leave();
    }
  }

  scanner.onEvent((news) => parent.send(news));
  parent.onLost(leave);
  parent.onMessage((message) => {
    const parsed = v.safeParse(scannerRequest, message);
    if (parsed.success) follow(parsed.output);
  });
}

runWatcherProcess();

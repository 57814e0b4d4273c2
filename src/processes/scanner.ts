import * as v from 'valibot';
import { createLocalScanner } from '../main/core/scanner/local-scanner.ts';
import { scannerRequest, type ScannerRequest } from '../main/core/scanner/scanner.ts';
import { parentChannel } from './parent-channel.ts';

/**
 * Entry point of the scanner process: a local scanner behind messages, so that the work for 100,000 files stays out of the main
 * process. Exits on a stop request and with its parent.
 */
function runScannerProcess(): void {
  const parent = parentChannel();
  if (!parent) throw new Error('the scanner process must be started by another process');
  const scanner = createLocalScanner();
  const exit = () => void scanner.stop().finally(() => process.exit(0));

  function handle(request: ScannerRequest): void {
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
        exit();
    }
  }

  scanner.onEvent((event) => parent.send(event));
  parent.onLost(exit);
  parent.onMessage((message) => {
    const parsed = v.safeParse(scannerRequest, message);
    if (parsed.success) handle(parsed.output);
  });
}

runScannerProcess();

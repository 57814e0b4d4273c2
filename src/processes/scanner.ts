import * as v from 'valibot';
import { createEyes } from '../main/core/scanner/local-scanner.ts';
import { eyesRequest, type EyesRequest } from '../main/core/scanner/scanner.ts';
import { parentChannel } from './parent-channel.ts';

/**
 * The watcher's process: eyes that are spoken to in messages. What is known of a hundred thousand files, and the work of a folder in
 * which they all arrive at once, stay in here. It ends when it is told to, and with its parent.
 */
function runWatcherProcess(): void {
  const parent = parentChannel();
  if (!parent) throw new Error('the watcher is started by another process');
  const eyes = createEyes();
  const leave = () => void eyes.stop().finally(() => process.exit(0));

  function follow(request: EyesRequest): void {
    switch (request.type) {
      case 'watch':
        eyes.watch(request.root);
        break;
      case 'unwatch':
        eyes.unwatch(request.id);
        break;
      case 'consider':
      case 'measure':
        eyes[request.type](request.id, request.paths);
        break;
      case 'rescan':
        eyes.rescan();
        break;
      case 'stop':
        leave();
    }
  }

  eyes.onNews((news) => parent.send(news));
  parent.onLost(leave);
  parent.onMessage((message) => {
    const parsed = v.safeParse(eyesRequest, message);
    if (parsed.success) follow(parsed.output);
  });
}

runWatcherProcess();

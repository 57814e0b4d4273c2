import { watch } from 'chokidar';
import { collect, residentBytes, watchLag, type WatchAsked, type WatchFigures } from './child.mts';

const { empty, full } = JSON.parse(process.argv[2] ?? '') as WatchAsked;

const ready = (path: string) =>
  new Promise((resolve) => {
    watch(path, { ignoreInitial: true }).on('ready', () => resolve(undefined));
  });

await ready(empty);
collect();
const idle = residentBytes(process.pid);
const lag = watchLag();
const begun = performance.now();
await ready(full);
const readyMs = performance.now() - begun;
await new Promise((resolve) => setTimeout(resolve, 20));
const longestLagMs = lag();
collect();
const bytes = residentBytes(process.pid) - idle;
const figures: WatchFigures = { readyMs, allBytes: bytes, mainBytes: bytes, longestLagMs };
process.send?.(figures, () => process.exit(0));

import { collect, residentBytes, watchLag, type WatchAsked, type WatchFigures } from './child.mts';
import { openTimbre } from './open-timbre.mts';

const { empty, full } = JSON.parse(process.argv[2] ?? '') as WatchAsked;
const timbre = await openTimbre(`${empty} data`);
await timbre.add(empty);
collect();
const idleMain = residentBytes(process.pid);
const idleAll = idleMain + residentBytes(timbre.watcherPid());
const lag = watchLag();
const begun = performance.now();
const { mode } = await timbre.add(full);
const readyMs = performance.now() - begun;
// What hung until now is seen by the loop's next turn.
await new Promise((resolve) => setTimeout(resolve, 20));
const longestLagMs = lag();
collect();
const main = residentBytes(process.pid);
const all = main + residentBytes(timbre.watcherPid());
if (mode !== 'watching') console.error(`it is ${mode}`);
const figures: WatchFigures = { readyMs, allBytes: all - idleAll, mainBytes: main - idleMain, longestLagMs };
process.send?.(figures);
await timbre.stop();
process.disconnect();

import { collect, residentBytes, watchLag, type WatchAsked, type WatchFigures } from './child.mts';
import { openOurs } from './open-ours.mts';

const { empty, full } = JSON.parse(process.argv[2] ?? '') as WatchAsked;
const ours = await openOurs(`${empty} data`);
await ours.add(empty);
collect();
const idleMain = residentBytes(process.pid);
const idleAll = idleMain + residentBytes(ours.watcherPid());
const lag = watchLag();
const begun = performance.now();
const { mode } = await ours.add(full);
const readyMs = performance.now() - begun;
// What hung until now is seen by the loop's next turn.
await new Promise((resolve) => setTimeout(resolve, 20));
const longestLagMs = lag();
collect();
const main = residentBytes(process.pid);
const all = main + residentBytes(ours.watcherPid());
if (mode !== 'watching') console.error(`it is ${mode}`);
const figures: WatchFigures = { readyMs, allBytes: all - idleAll, mainBytes: main - idleMain, longestLagMs };
process.send?.(figures);
await ours.stop();
process.disconnect();

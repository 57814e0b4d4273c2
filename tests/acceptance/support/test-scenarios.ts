import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Failed, must, type Figures, type Scenario, type ScenarioContext } from './scenario.ts';

/** Children that nobody ends: one in the scenario's session and one in its own, with a child that outlives it. */
function leaveChildren({ spawn, note }: ScenarioContext): void {
  const near = spawn('sleep', ['1000']);
  const far = spawn('sh', ['-c', 'sleep 1000 & sleep 1000 & wait'], { detached: true });
  note(`children ${near.pid ?? 0} ${far.pid ?? 0}`);
}

async function lastAMoment(): Promise<Figures> {
  const begun = Date.now();
  await sleep(300);
  return { begun, ended: Date.now() };
}

const forever = () => new Promise<never>(() => setInterval(() => undefined, 1000));

/** What the frame is tested with: each ends in another way. */
export const scenarios: readonly Scenario[] = [
  {
    id: 'T1',
    title: 'holds',
    async run({ folder, random, size, full }) {
      await writeFile(join(folder, 'some.txt'), 'text');
      return { files: 1, ratio: 1 / 3, drawn: random.integer(0, 1e9), size: size(3, 7), full };
    },
  },
  { id: 'T2', title: 'does not hold', run: () => Promise.reject(new Failed('two conversions\nof one source')) },
  {
    id: 'T3',
    title: 'hangs',
    deadlineMs: 5000,
    async run(context) {
      leaveChildren(context);
      return forever();
    },
  },
  {
    id: 'T4',
    title: 'breaks and leaves children',
    run(context) {
      leaveChildren(context);
      throw new Error('a defect');
    },
  },
  {
    id: 'T5',
    title: 'never gives its process back',
    deadlineMs: 5000,
    run({ note }) {
      note('turning');
      for (;;);
    },
  },
  { id: 'T6', title: 'ends its process', run: () => process.exit(3) },
  {
    id: 'T7',
    title: 'breaks where nobody waits',
    run() {
      setImmediate(() => {
        throw new Error('nobody waits');
      });
      return forever();
    },
  },
  {
    id: 'T8',
    title: 'starts an engine and a proxy before it',
    async run({ startEngine, startProxy }) {
      const engine = await startEngine();
      const proxy = await startProxy({ target: engine.origin });
      const ask = (token: string) =>
        fetch(`${proxy.origin}/api/pagevoices?page=0&limit=1`, { headers: { authorization: `Bearer ${token}` } });
      must((await ask('wrong')).status === 401, 'a wrong token is refused');
      must((await ask(engine.token)).status === 200, 'the token is taken');
      await engine.kill();
      const again = await startEngine({ port: Number(new URL(engine.origin).port) });
      must((await ask(again.token)).status === 200, 'it is back at its address');
      return { calls: proxy.count() };
    },
  },
  {
    id: 'T9',
    title: 'cannot clean up',
    run({ onEnd }) {
      onEnd(() => Promise.reject(new Error('still mounted')));
      return Promise.resolve({});
    },
  },
  { id: 'T10', title: 'judges a measure', alone: true, run: lastAMoment },
  { id: 'T11', title: 'lasts a moment', run: lastAMoment },
  { id: 'T12', title: 'lasts a moment too', run: lastAMoment },
  { id: 'T13', title: 'needs what is not here', run: () => Promise.resolve({ skipped: 'there is no ffmpeg' }) },
];

// P3: a 1 GiB upload through uploadAudio beside `curl -F`, to the same plain server, in turn. The server and each upload have a
// process of their own, so that the memory counted is the uploader's alone.
//   npm run bench upload [runs] [MiB]
import { spawnSync, fork, type ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtemp, open, rm, stat } from 'node:fs/promises';
import { createServer } from 'node:http';
import { devNull, tmpdir } from 'node:os';
import { join } from 'node:path';
import * as v from 'valibot';
import { createHttp } from '../src/main/core/voice-service/http.ts';
import { snapshotOf } from '../src/main/core/files/identity.ts';
import { uploadAudio } from '../src/main/core/voice-service/conversion.ts';
import { connectionSchema } from '../src/shared/schemas/connection.ts';
import { median } from './median.mts';

const MiB = 1024 ** 2;
const taskId = 'bench';
const goals = { ratio: 0.5, growthMiB: 96 };

/** What an upload took, in seconds, and by how much memory grew from just before it to its highest, in MiB. */
interface Measured {
  readonly seconds: number;
  readonly growthMiB: number;
}

function runSink(): void {
  const server = createServer((request, response) => {
    request.resume().once('end', () => response.end(JSON.stringify({ uuid: taskId })));
  });
  server.listen(0, '127.0.0.1', () => process.send?.(server.address()));
}

async function upload(origin: string, path: string): Promise<Measured> {
  const hosts = { voice: origin, upload: origin, converter: '', models: '', sample: '' };
  const document = v.parse(connectionSchema, { name: 'bench', hosts });
  const access = () => Promise.resolve({ hosts, token: null });
  const connection = { id: 'bench', kind: 'remote', document, access } as const;
  const http = createHttp();
  const source = snapshotOf(await stat(path, { bigint: true }));
  const task = { taskId, changerType: 'FVC' };
  const { signal } = new AbortController();
  const before = process.memoryUsage.rss();
  const started = performance.now();
  await uploadAudio(http, connection, { task, path, fileName: 'a.wav', source, onProgress: () => undefined }, signal);
  const seconds = (performance.now() - started) / 1000;
  await http.close();
  return { seconds, growthMiB: process.resourceUsage().maxRSS / 1024 - before / MiB };
}

function curl(origin: string, path: string): number {
  const form = ['-F', `audioFile=@${path}`, '-H', 'Expect:', '-H', 'Changer-Type: FVC'];
  const args = ['-sS', '--noproxy', '*', '-o', devNull, '-w', '%{time_total}', ...form];
  const { status, stdout, error } = spawnSync('curl', [...args, `${origin}/api/uploadaudiofile/${taskId}`]);
  if (status !== 0) throw error ?? new Error('curl failed: is it installed?');
  return Number(String(stdout));
}

const start = (...args: readonly string[]): ChildProcess => fork(import.meta.filename, args);

/** The first thing that a process says. */
const said = (child: ChildProcess): Promise<unknown> =>
  new Promise((resolve, reject) => {
    child.once('message', resolve).once('exit', (code) => reject(new Error(`ended with ${String(code)}`)));
  });

async function compare(runs: number, sizeMiB: number): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'timbre-bench-'));
  const path = join(folder, 'sound.wav');
  const file = await open(path, 'w');
  const block = randomBytes(16 * MiB);
  for (let left = sizeMiB; left > 0; left -= 16) await file.write(block);
  await file.close();

  const sink = start('sink');
  const { port } = (await said(sink)) as { port: number };
  const origin = `http://127.0.0.1:${port}`;
  const ours: Measured[] = [];
  const theirs: number[] = [];
  // The first of each warms the disk's cache and is not counted.
  for (let run = -1; run < runs; run += 1) {
    const measured = (await said(start('upload', origin, path))) as Measured;
    const seconds = curl(origin, path);
    if (run < 0) continue;
    ours.push(measured);
    theirs.push(seconds);
  }
  sink.kill();
  await rm(folder, { recursive: true });

  const rates = { ours: sizeMiB / median(ours.map(({ seconds }) => seconds)), theirs: sizeMiB / median(theirs) };
  const growth = Math.max(...ours.map(({ growthMiB }) => growthMiB));
  console.log(
    `P3 upload: Timbre ${Math.round(rates.ours)} MiB/s, curl ${Math.round(rates.theirs)} MiB/s, ratio ` +
      `${(rates.ours / rates.theirs).toFixed(2)} (goal ${goals.ratio}), memory +${Math.round(growth)} MiB ` +
      `(goal <= ${goals.growthMiB}), ${sizeMiB} MiB, median of ${runs}`,
  );
}

const [role, ...rest] = process.argv.slice(2);
if (role === 'sink') runSink();
else if (role === 'upload') {
  const [origin = '', path = ''] = rest;
  process.send?.(await upload(origin, path), () => process.disconnect());
} else await compare(Number(role ?? 5), Number(rest[0] ?? 1024));

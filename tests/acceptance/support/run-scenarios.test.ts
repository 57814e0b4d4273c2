import { fork } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { isRunning } from './processes.ts';
import { runScenario, type RunOptions } from './run-scenario.ts';
import { runScenarios } from './run-scenarios.ts';
import { scenariosOf } from '../scenarios.ts';

const scenarios = await scenariosOf(new URL('./test-scenarios.ts', import.meta.url));
const usual: RunOptions = { seed: 7, full: false, keep: false, signal: new AbortController().signal };

function scenario(id: string) {
  const found = scenarios.find((one) => one.id === id);
  if (!found) throw new Error(id);
  return found;
}

async function run(ids: readonly string[], options: Partial<RunOptions> = {}) {
  const lines: string[] = [];
  const write = (line: string) => void lines.push(line);
  const code = await runScenarios({
    ...usual,
    ...options,
    scenarios: ids.map(scenario),
    quiet: Promise.resolve(),
    write,
  });
  return { code, lines };
}

const childrenIn = (why: string): readonly number[] =>
  (/children ([\d ]+)/.exec(why)?.[1] ?? '').split(' ').map(Number);

async function whyOf(id: string, options: Partial<RunOptions> = {}): Promise<string> {
  const verdict = await runScenario(scenario(id), { ...usual, ...options });
  expect(verdict.passed).toBe(false);
  expect(existsSync(verdict.folder)).toBe(false);
  return verdict.passed ? '' : verdict.why;
}

describe('running scenarios', () => {
  it('prints the figures of passed scenarios and exits with 0', async () => {
    const { code, lines } = await run(['T1']);
    expect(code).toBe(0);
    expect(lines[0]).toBe('seed 7');
    expect(lines[1]).toMatch(/^PASS T1 files=1 ratio=0\.3333 drawn=\d+ size=3 full=false$/);
    expect(lines.slice(2)).toEqual(['1 passed, 0 failed']);
  });

  it('continues after a failure, prints a table, and exits with 1', async () => {
    const { code, lines } = await run(['T2', 'T1']);
    expect(code).toBe(1);
    expect(lines.slice(1, 3).map((line) => line.slice(0, 40))).toContain('FAIL T2 two conversions of one source');
    expect(lines.slice(1, 3).some((line) => line.startsWith('PASS T1 '))).toBe(true);
    expect(lines[3]).toMatch(/^T2 {2}FAIL +\d+\.\d s {2}does not hold$/);
    expect(lines[4]).toMatch(/^T1 {2}PASS +\d+\.\d s {2}holds$/);
    expect(lines[5]).toBe('1 passed, 1 failed');
  });

  it('draws the same values for the same seed, and uses full sizes on request', async () => {
    const drawn = async (seed: number, full: boolean) => (await run(['T1'], { seed, full })).lines[1];
    const [first, second] = [await drawn(1, true), await drawn(1, true)];
    expect(first).toBe(second);
    expect(first).toContain('size=7 full=true');
    expect(await drawn(2, true)).not.toBe(first);
  });

  it('runs nothing in parallel with a scenario that measures', async () => {
    const { lines } = await run(['T10', 'T11', 'T12']);
    const spans = lines.flatMap((line) => {
      const [, id, begun, ended] = /^PASS (\S+) begun=(\d+) ended=(\d+)$/.exec(line) ?? [];
      return id === undefined ? [] : [{ id, begun: Number(begun), ended: Number(ended) }];
    });
    const alone = spans.filter(({ id }) => id === 'T10');
    const others = spans.filter(({ id }) => id !== 'T10');
    expect([alone.length, others.length]).toEqual([1, 2]);
    const beside = others.filter(({ begun, ended }) => alone.some((one) => begun < one.ended && ended > one.begun));
    expect(beside).toEqual([]);
  });

  it('starts a scenario that measures only after all others have ended', async () => {
    const quiet = Promise.withResolvers<void>();
    const lines: string[] = [];
    const write = (line: string) => {
      lines.push(line);
      if (line.startsWith('PASS T11')) quiet.resolve();
    };
    await runScenarios({ ...usual, scenarios: ['T10', 'T11'].map(scenario), quiet: quiet.promise, write });
    const [, endedMs] = /ended=(\d+)/.exec(lines.find((line) => line.startsWith('PASS T11')) ?? '') ?? [];
    const [, begunMs] = /begun=(\d+)/.exec(lines.find((line) => line.startsWith('PASS T10')) ?? '') ?? [];
    expect(Number(begunMs)).toBeGreaterThanOrEqual(Number(endedMs));
  });

  it('counts skipped scenarios separately from passed ones, and says why', async () => {
    const { code, lines } = await run(['T13']);
    expect(code).toBe(0);
    expect(lines.slice(1)).toEqual(['SKIP T13 skipped=there is no ffmpeg', '0 passed, 0 failed, 1 skipped']);
  });

  it('keeps the folder of a failure on request', async () => {
    const verdict = await runScenario(scenario('T2'), { ...usual, keep: true });
    expect(existsSync(verdict.folder)).toBe(true);
    await rm(verdict.folder, { recursive: true });
  });
});

describe('nothing remains of a scenario that', () => {
  it('hangs: it fails at its deadline, with the step it was at', async () => {
    const why = await whyOf('T3');
    expect(why).toMatch(/^not over after 5 s; last: children \d+ \d+$/);
    expect(childrenIn(why).map(isRunning)).toEqual([false, false]);
  });

  it('throws, and none of its child processes keeps running', async () => {
    const why = await whyOf('T4');
    expect(why).toMatch(/^broke: a defect; last: children \d+ \d+$/);
    expect(childrenIn(why).map(isRunning)).toEqual([false, false]);
  });

  it('blocks its process: it still fails at its deadline', async () => {
    expect(await whyOf('T5')).toBe('not over after 5 s; last: turning');
  });

  it('exits its own process', async () => {
    expect(await whyOf('T6')).toBe('its process ended by itself (exit 3)');
  });

  it('throws outside any promise', async () => {
    expect(await whyOf('T7')).toBe('broke: nobody waits');
  });

  it('cannot clean up, and it fails', async () => {
    expect(await whyOf('T9')).toBe('broke: still mounted');
  });

  it('is killed from outside', async () => {
    const stopping = new AbortController();
    const why = await whyOf('T3', { signal: stopping.signal, onNote: () => stopping.abort() });
    expect(why).toMatch(/^was ended from outside; last: children/);
    expect(childrenIn(why).map(isRunning)).toEqual([false, false]);
  });

  it('loses its runner to a kill', async () => {
    const frame = fork(new URL('./test-frame.ts', import.meta.url), ['T3'], { execArgv: [] });
    const [note] = (await once(frame, 'message')) as [string];
    const children = childrenIn(note);
    expect(children.map(isRunning)).toEqual([true, true]);
    frame.kill('SIGKILL');
    await expect.poll(() => children.some(isRunning)).toBe(false);
  });

  it('leaves an engine running', async () => {
    const verdict = await runScenario(scenario('T8'), usual);
    expect(verdict).toMatchObject({ passed: true, figures: { calls: 3 } });
    expect(existsSync(verdict.folder)).toBe(false);
  });
});

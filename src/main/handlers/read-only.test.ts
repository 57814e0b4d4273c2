import { expect, it } from 'vitest';
import { AppError } from '../../shared/errors.ts';
import { contract, type Contract } from '../../shared/ipc/contract.ts';
import type { Handlers } from '../../shared/ipc/define-contract.ts';
import { refuseChanges } from './read-only.ts';

const refusal = new AppError('data/newer', 'a newer Timbre wrote it');

/** Handlers of all requests, each of which answers with its own name. */
const handlers = Object.fromEntries(
  Object.entries(contract).map(([group, entries]) => [
    group,
    Object.fromEntries(
      Object.entries(entries)
        .filter(([, { kind }]) => kind === 'request')
        .map(([name]) => [name, () => `${group}:${name}`]),
    ),
  ]),
) as unknown as Handlers<Contract>;

/** What the guarded handlers of some requests answer. */
async function answersOf(data: Parameters<typeof refuseChanges>[1]): Promise<readonly unknown[]> {
  const { history, jobs, watch, connections, copies, settings } = refuseChanges(handlers, data);
  const calls = [
    () => history.search({ text: '' }),
    () => history.export({ choice: null, what: 'list' }),
    () => jobs.list({ after: null }),
    () => settings.update({ theme: 'dark' }),
    () => history.import(),
    () => jobs.retry({ ids: [] }),
    () => watch.setPaused({ id: '', isPaused: false }),
    () => connections.setToken({ id: '', token: '', place: 'file' }),
    () => copies.removeAll(),
  ];
  return Promise.all(
    calls.map((call) =>
      Promise.resolve()
        .then<unknown>(call)
        .catch((error: unknown) => error),
    ),
  );
}

const reading = ['history:search', 'history:export', 'jobs:list', 'settings:update'];
const changing = ['history:import', 'jobs:retry', 'watch:setPaused', 'connections:setToken', 'copies:removeAll'];

it('data that can only be read is shown and exported, and every change is refused before it begins', async () => {
  const answers = await answersOf(() => Promise.resolve({ refusal }));
  expect(answers).toEqual([...reading, ...changing.map(() => refusal)]);
});

it('data that can be written refuses nothing', async () => {
  expect(await answersOf(() => Promise.resolve({ refusal: null }))).toEqual([...reading, ...changing]);
});

it('data that cannot be opened is left to each request', async () => {
  expect(await answersOf(() => Promise.reject(refusal))).toEqual([...reading, ...changing]);
});

import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, openView, test } from './app.ts';
import { executable } from './run-command.ts';

const folder = mkdtempSync(join(tmpdir(), 'network-'));
const trace = join(folder, 'trace');
const launcher = join(folder, 'launcher');
// The tracer runs detached, so that signals reach Timbre.
writeFileSync(
  launcher,
  `#!/bin/sh\nexec strace -D -f -qq -yy -e trace=connect,sendto,sendmsg,sendmmsg -o '${trace}' '${executable}' "$@"\n`,
  { mode: 0o755 },
);

const canTrace = (): boolean => {
  try {
    execFileSync('strace', ['-V'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
};

/**
 * What of the trace leaves a socket: connections of TCP and datagrams of UDP. To connect a UDP socket, by which Chromium learns whether
 * there is a way to IPv6, sends nothing.
 */
const leaving = (): readonly string[] =>
  readFileSync(trace, 'utf8')
    .split('\n')
    .filter((line) => /\b(connect\(\d+<TCP|send\w+\(\d+<UDP)/.test(line));

const isLocal = (line: string): boolean =>
  /(?:->|inet_addr\("|inet_pton\(AF_INET6, ")\[?(?:127\.|::1\b|(?:::)?ffff:127\.)/.test(line);

test.use({ launcher });
test.skip(!canTrace(), 'needs strace');
test.afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('S22: an idle Timbre contacts no other machine and resolves no name', async ({ timbre }) => {
  const { page } = timbre;
  for (const view of [
    'Convert',
    'Watch folders',
    'Voices',
    'Speech',
    'History',
    'Custom voices',
    'Settings',
    'Diagnostics',
  ]) {
    await openView(page, view);
    await expect(page.getByRole('heading', { level: 1 }).or(page.getByRole('main')).first()).toBeVisible();
  }
  timbre.signal('SIGTERM');
  await timbre.ended();
  // The engine on this computer is asked for its voices, so the trace holds something.
  expect(leaving().filter(isLocal).length).toBeGreaterThan(0);
  expect(leaving().filter((line) => !isLocal(line))).toEqual([]);
});

import { randomUUID } from 'node:crypto';
import { watch } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { CheckResult } from '../../../shared/wire/check.ts';
import { freeBytes } from '../outputs/free-bytes.ts';

/** A day of work with recordings has room in this. */
const scarceBytes = 1e9;
const watchMs = 2000;

async function withCanary<T>(folder: string, work: (name: string) => Promise<T>): Promise<T> {
  const name = `.timbre-check-${randomUUID()}`;
  try {
    return await work(name);
  } finally {
    await rm(join(folder, name), { force: true }).catch(() => undefined);
  }
}

/** Whether files can be made there. A folder that is not there is a finding: it may be on a disk that is not. */
export async function checkRights(folder: string): Promise<CheckResult> {
  try {
    await withCanary(folder, (name) => writeFile(join(folder, name), 'timbre', { flag: 'wx' }));
    return { ok: true, finding: { kind: 'writable', folder } };
  } catch {
    return { ok: false, finding: { kind: 'not-writable', folder } };
  }
}

export async function checkSpace(folder: string): Promise<CheckResult> {
  try {
    const bytes = await freeBytes(folder);
    const ok = bytes >= scarceBytes;
    return { ok, finding: { kind: ok ? 'free' : 'full', folder, bytes } };
  } catch {
    return { ok: false, finding: { kind: 'not-writable', folder } };
  }
}

/** Whether the system tells of a new file in time. */
function isTold(folder: string, name: string): Promise<boolean> {
  return new Promise((resolve) => {
    const settle = (told: boolean) => {
      clearTimeout(deadline);
      watcher?.close();
      resolve(told);
    };
    let watcher: ReturnType<typeof watch> | undefined;
    const deadline = setTimeout(() => settle(false), watchMs);
    try {
      watcher = watch(folder, (_event, seen) => {
        if (seen === name) settle(true);
      });
      watcher.on('error', () => settle(false));
    } catch {
      settle(false);
      return;
    }
    writeFile(join(folder, name), 'timbre', { flag: 'wx' }).catch(() => settle(false));
  });
}

/** A folder that tells nothing is watched by polling, so that this is a finding and no failure. */
export async function checkWatching(folder: string): Promise<CheckResult> {
  const told = await withCanary(folder, (name) => isTold(folder, name));
  return { ok: true, finding: { kind: told ? 'told' : 'not-told', folder } };
}

import { randomUUID } from 'node:crypto';
import { watch } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { freeBytes } from '../../main/core/outputs/free-bytes.ts';
import type { Messages } from '../../shared/messages/index.ts';
import type { Check } from './check.ts';

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
export async function checkRights(check: string, folder: string, { cli }: Messages): Promise<Check> {
  try {
    await withCanary(folder, (name) => writeFile(join(folder, name), 'timbre', { flag: 'wx' }));
    return { check, ok: true, message: cli.doctor.writable(folder) };
  } catch {
    return { check, ok: false, message: cli.doctor.notWritable(folder) };
  }
}

export async function checkSpace(check: string, folder: string, { cli }: Messages): Promise<Check> {
  try {
    const bytes = await freeBytes(folder);
    const ok = bytes >= scarceBytes;
    return { check, ok, message: (ok ? cli.doctor.free : cli.doctor.full)(bytes, folder) };
  } catch {
    return { check, ok: false, message: cli.doctor.notWritable(folder) };
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
export async function checkWatching(folder: string, { cli }: Messages): Promise<Check> {
  const told = await withCanary(folder, (name) => isTold(folder, name));
  const message = (told ? cli.doctor.watching : cli.doctor.polling)(folder);
  return { check: 'watching', ok: true, message };
}

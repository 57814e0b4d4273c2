import type { Stats } from 'node:fs';
import { stat } from 'node:fs/promises';
import { basename, resolve } from 'node:path';
import type { ErrorCode } from '../../../shared/error-code.ts';
import type { Problem } from '../../../shared/problem.ts';
import type { AddedJobs } from '../../../shared/wire/job.ts';
import type { ConversionSettings } from '../../../shared/wire/settings.ts';
import type { Voice } from '../../../shared/wire/voice.ts';
import type { Job, JobSource } from './job.ts';
import type { JobStore } from './job-store.ts';
import { findSoundFiles } from './sound-files.ts';

/** What all jobs of one request have in common. */
export interface Order {
  readonly connectionId: string;
  readonly connectionName: string;
  readonly voice: Voice;
  readonly settings: ConversionSettings;
  /** Null puts each result beside its original. */
  readonly outputFolder: string | null;
  readonly audioName?: string | null;
  readonly platform?: string;
}

export interface Intake {
  /** Turns paths of files and folders into jobs. What cannot be converted gets a row that says why. */
  add(
    paths: readonly string[],
    order: Order,
    signal: AbortSignal,
  ): Promise<AddedJobs & { readonly ids: readonly string[] }>;
}

interface Dependencies {
  readonly store: JobStore;
  readonly randomId: () => string;
  readonly now: () => number;
}

type Finding = { readonly source: JobSource; readonly problem: Problem | null };

function statProblem(error: unknown): ErrorCode {
  const code = error instanceof Error && 'code' in error ? error.code : '';
  return code === 'ENOENT' || code === 'ENOTDIR' ? 'input/missing' : 'input/unreadable';
}

const unknownSource = (path: string): JobSource => ({ path, subfolder: '', sizeBytes: null, modifiedMs: null });

export function createIntake({ store, randomId, now }: Dependencies): Intake {
  async function look(path: string): Promise<Stats | Problem> {
    try {
      return await stat(path);
    } catch (error) {
      return { code: statProblem(error), facts: { name: basename(path) } };
    }
  }

  const refused = (path: string, problem: Problem): Finding => ({ source: unknownSource(path), problem });

  async function fileFinding(path: string, subfolder: string): Promise<Finding> {
    const seen = await look(path);
    if ('code' in seen) return refused(path, seen);
    if (!seen.isFile()) return refused(path, { code: 'input/not-a-file', facts: { name: basename(path) } });
    return { source: { path, subfolder, sizeBytes: seen.size, modifiedMs: seen.mtimeMs }, problem: null };
  }

  async function folderFindings(path: string, signal: AbortSignal): Promise<{ findings: Finding[]; leftOut: number }> {
    const { files, leftOut, unreadable } = await findSoundFiles(path, signal);
    const findings: Finding[] = unreadable.map((folder) =>
      refused(folder, { code: 'input/unreadable', facts: { name: basename(folder) } }),
    );
    if (files.length === 0 && unreadable.length === 0) {
      return {
        findings: [refused(path, { code: 'input/no-audio-in-folder', facts: { name: basename(path) } })],
        leftOut: 0,
      };
    }
    for (const file of files) findings.push(await fileFinding(file.path, file.subfolder));
    return { findings, leftOut };
  }

  function toJob({ source, problem }: Finding, order: Order): Omit<Job, 'order' | 'revision' | 'createdAt'> {
    return {
      id: randomId(),
      state: problem ? 'failed' : 'queued',
      since: now(),
      source,
      target: { folder: order.outputFolder },
      connectionId: order.connectionId,
      connectionName: order.connectionName,
      voice: order.voice,
      settings: order.settings,
      audioName: order.audioName ?? null,
      platform: order.platform ?? '',
      outputFormat: null,
      durationSeconds: null,
      taskId: null,
      changerType: null,
      sourceSha256: null,
      audioUrl: null,
      processingTime: null,
      outputPath: null,
      outputSha256: null,
      problem,
    };
  }

  return {
    async add(paths, order, signal) {
      const findings: Finding[] = [];
      const given = paths.filter((path) => path !== '');
      let leftOut = 0;
      for (const path of new Set(given.map((name) => resolve(name)))) {
        const seen = await look(path);
        if ('code' in seen) findings.push(refused(path, seen));
        else if (seen.isDirectory()) {
          const folder = await folderFindings(path, signal);
          findings.push(...folder.findings);
          leftOut += folder.leftOut;
        } else findings.push(await fileFinding(path, ''));
      }
      signal.throwIfAborted();
      const added = store.add(findings.map((finding) => toJob(finding, order)));
      const refusedCount = findings.filter(({ problem }) => problem).length;
      return {
        ids: added.map(({ id }) => id),
        added: findings.length - refusedCount,
        refused: refusedCount,
        leftOut,
        withoutPath: paths.length - given.length,
      };
    },
  };
}

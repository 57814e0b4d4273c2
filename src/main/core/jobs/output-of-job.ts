import { basename, dirname, extname, join } from 'node:path';
import { outputPath } from '../outputs/output-path.ts';
import type { Job } from './job.ts';

/** As long as a title is read at a glance. */
const maxTitleLength = 48;

/** What a piece of speech is called: its first words. */
export function titleOf(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim();
  if (line.length <= maxTitleLength) return line;
  const cut = line.slice(0, maxTitleLength + 1);
  const end = cut.lastIndexOf(' ');
  return `${cut.slice(0, end > maxTitleLength / 2 ? end : maxTitleLength).toWellFormed()}…`;
}

export const nameOf = (job: Job): string =>
  job.kind === 'speech' ? titleOf(job.text) : basename(job.source.path, extname(job.source.path));

function baseFolder(job: Job): string {
  const { folder } = job.target;
  if (job.kind === 'speech') {
    if (folder === null) throw new Error(`speech ${job.id} has no folder`);
    return folder;
  }
  return folder === null ? dirname(job.source.path) : join(folder, job.source.subfolder);
}

/** The name that a job's result is to have, at the first attempt or a later one. */
export const outputPathOf = (job: Job, attempt: number): string =>
  outputPath(
    baseFolder(job),
    job.target.nameTemplate,
    {
      name: nameOf(job),
      voice: job.voice.name,
      connection: job.connection.name,
      createdAt: new Date(job.createdAt),
      format: job.outputFormat ?? '.wav',
      language: job.kind === 'speech' ? job.settings.language : job.voice.language,
    },
    attempt,
  );

/** The folder in which a job's result grows and stays. */
export const outputFolder = (job: Job): string => dirname(outputPathOf(job, 1));

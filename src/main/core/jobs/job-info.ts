import { basename } from 'node:path';
import type { JobInfo } from '../../../shared/wire/job.ts';
import type { MediaRegistry } from '../media/media-registry.ts';
import type { Job } from './job.ts';
import { titleOf } from './output-of-job.ts';

/** A job as a page may know it: names instead of paths, opaque ids for what can be played. */
export function toJobInfo(job: Job, media: MediaRegistry): JobInfo {
  const conversion = job.kind === 'conversion' ? job : undefined;
  const resultPath = job.state === 'done' ? job.output?.path : undefined;
  return {
    id: job.id,
    kind: job.kind,
    order: job.order,
    revision: job.revision,
    state: job.state,
    since: job.since,
    nextTryAt: job.nextTryAt,
    attempts: job.attempts,
    name: job.kind === 'speech' ? titleOf(job.text) : basename(job.source.path),
    sizeBytes: conversion?.source.snapshot?.sizeBytes ?? null,
    durationSeconds: conversion?.durationSeconds ?? null,
    connectionId: job.connection.id,
    connectionName: job.connection.name,
    voice: job.voice,
    sourceMedia: conversion && conversion.outputFormat !== null ? media.idOf(conversion.source.path) : null,
    resultMedia: resultPath === undefined ? null : media.idOf(resultPath),
    outputName: resultPath === undefined ? null : basename(resultPath),
    problem: job.problem,
  };
}

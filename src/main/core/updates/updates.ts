import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import gt from 'semver/functions/gt.js';
import { AppError, type Problem } from '../../../shared/errors.ts';
import type { PackageKind, Release, ReleaseFile, ReleaseList } from '../../../shared/schemas/release-list.ts';
import type { Settings, UpdateChannel } from '../../../shared/schemas/settings.ts';
import type { UpdateStatus } from '../../../shared/schemas/update.ts';
import { type Clock, createWakeTimer } from '../clock.ts';
import { createListeners } from '../events.ts';
import { replaceText } from '../files/replace-file.ts';
import type { Http } from '../voice-service/http.ts';
import { downloadFile, downloadList, type ListedFile, type ReleaseFeed, verifyList } from './release-feed.ts';

/** What replaces an installed Timbre. */
export interface UpdateInstaller {
  /** Package that it downloads. */
  readonly package: PackageKind;
  /** Keeps a file of a release, which `save` writes to the path that it is given; not called if the file is already there. */
  download(file: UpdateFile, save: (path: string) => Promise<void>): Promise<void>;
  /** Puts what was downloaded in the place of this Timbre, and restarts it. */
  install(): Promise<void>;
}

export interface UpdateFile extends ReleaseFile, ListedFile {
  readonly version: string;
}

/** Looks for a newer Timbre once a day, tells about it, and installs it when the user says so. */
export interface Updates {
  status(): UpdateStatus;
  /** The web page from which a person downloads the update; null if there is none. */
  page(): string | null;
  /** Looks now. What fails is in the status. */
  check(): Promise<UpdateStatus>;
  /** Downloads the available update. What fails is in the status. */
  download(): Promise<UpdateStatus>;
  /** Throws `update/jobs-open` while jobs are open: they are never interrupted. */
  install(): Promise<void>;
  onChanged(listener: (status: UpdateStatus) => void): () => void;
  /** Reads what was found before, and looks from now on. */
  start(): Promise<void>;
  /** Call after settings were loaded or changed. */
  follow(settings: Pick<Settings, 'updates' | 'isOfflineMode'>): void;
  stop(): void;
}

interface Dependencies {
  readonly clock: Clock;
  readonly http: Pick<Http, 'send'>;
  readonly dataFolder: string;
  /** Of this Timbre. */
  readonly version: string;
  /** As in `process.arch`. */
  readonly arch: string;
  /** Null if this Timbre comes from no package. */
  readonly feed: ReleaseFeed | null;
  /** Null if the user replaces this kind of package by the system's own means. */
  readonly installer: UpdateInstaller | null;
  /** True while jobs of any process are open. */
  hasOpenJobs(): Promise<boolean>;
  onError(error: unknown): void;
}

/** The last list, as it was signed, and when it was read. It can be deleted. */
export const listName = 'releases.json';

const dayMs = 24 * 60 * 60 * 1000;
/** After a failure that nobody asked for. */
const retryMs = 60 * 60 * 1000;
/** The start has other things to do. */
const startDelayMs = 20_000;

/** The newest release that a user of a channel gets, if it is newer than `version`. The stable one may be newer than the last beta. */
export function findUpdate({ releases }: ReleaseList, channel: UpdateChannel, version: string): Release | null {
  const offered = releases.filter((release) => release.channel === 'stable' || release.channel === channel);
  return offered.reduce<Release | null>(
    (newest, release) => (gt(release.version, newest?.version ?? version) ? release : newest),
    null,
  );
}

export function createUpdates(dependencies: Dependencies): Updates {
  const { clock, http, dataFolder, version, arch, feed, installer, hasOpenJobs, onError } = dependencies;
  const listeners = createListeners<UpdateStatus>();
  const stopping = new AbortController();
  const path = join(dataFolder, listName);
  let list: ReleaseList | null = null;
  let release: Release | null = null;
  let channel: UpdateChannel = 'stable';
  let isWanted = false;
  let isStarted = false;
  let nextAt = 0;
  let checking: Promise<UpdateStatus> | undefined;
  let installing: Promise<void> | undefined;
  let phaseBefore: UpdateStatus['phase'] = 'idle';
  let status: UpdateStatus = {
    phase: feed ? 'idle' : 'unsupported',
    host: feed ? new URL(feed.address).host : '',
    checkedAt: null,
    available: null,
    canInstall: false,
    progress: 0,
    problem: null,
  };

  function setStatus(change: Partial<UpdateStatus>): UpdateStatus {
    const next = { ...status, ...change };
    if (JSON.stringify(next) !== JSON.stringify(status)) {
      status = next;
      listeners.emit(status);
    }
    return status;
  }

  const timer = createWakeTimer(clock, () => void look());
  function plan(): void {
    timer.set(feed && isStarted && isWanted && !stopping.signal.aborted ? nextAt : null);
  }

  /** In steps that can be seen: each is sent to the page. */
  const onProgress = (share: number): void => void setStatus({ progress: Math.floor(share * 100) / 100 });

  const fileOf = ({ files }: Release): ReleaseFile | undefined =>
    files.find((file) => file.package === installer?.package && file.arch === arch);

  /** Offers what the list has for this user. An update that is downloaded already stays, unless the list has another one. */
  function choose(): void {
    const found = list && findUpdate(list, channel, version);
    if (status.phase === 'downloading' || JSON.stringify(found) === JSON.stringify(release)) return;
    release = found;
    setStatus({
      phase: status.phase === 'downloaded' ? 'idle' : status.phase,
      available: found && { version: found.version, date: Date.parse(found.date), notes: found.notes },
      canInstall: found !== null && fileOf(found) !== undefined,
      problem: null,
    });
  }

  /** A list that was signed before the last one would hide newer releases. */
  function take(found: ReleaseList): void {
    if (list && Date.parse(found.issuedAt) < Date.parse(list.issuedAt)) {
      throw new AppError('update/list-invalid', 'the list of releases is older than the last one');
    }
    list = found;
  }

  async function readAgain({ address, key }: ReleaseFeed): Promise<void> {
    const signed = await downloadList(http, address, stopping.signal);
    take(await verifyList(signed, key));
    const checkedAt = clock.now();
    // Without the file the next start looks again.
    await replaceText(path, JSON.stringify({ checkedAt, signed })).catch(onError);
    setStatus({ checkedAt });
  }

  const problemOf = (error: unknown): Problem =>
    error instanceof AppError ? error.problem : { code: 'update/failed' };

  async function run(from: ReleaseFeed): Promise<UpdateStatus> {
    let problem: Problem | null = null;
    try {
      await readAgain(from);
      nextAt = clock.now() + dayMs;
    } catch (error) {
      nextAt = clock.now() + retryMs;
      if (stopping.signal.aborted) return status;
      if (!(error instanceof AppError)) onError(error);
      // Nobody waits for the daily check, which will be repeated.
      if (status.phase === 'checking') problem = problemOf(error);
    }
    if (status.phase === 'checking') setStatus({ phase: phaseBefore, problem });
    choose();
    plan();
    return status;
  }

  function look(): Promise<UpdateStatus> {
    if (!feed) return Promise.resolve(status);
    return (checking ??= run(feed).finally(() => (checking = undefined)));
  }

  async function install(): Promise<void> {
    if (!installer || status.phase !== 'downloaded') return;
    if (await hasOpenJobs()) throw new AppError('update/jobs-open', 'jobs are open');
    await installer.install();
  }

  /** What was found before, so that a start without a network tells it too. */
  async function readLast({ key }: ReleaseFeed): Promise<void> {
    try {
      const { checkedAt, signed } = JSON.parse(await readFile(path, 'utf8')) as Record<string, unknown>;
      list = await verifyList(String(signed), key);
      // A clock that was set back must not end the looking.
      const at = Math.min(Number(checkedAt), clock.now());
      nextAt = Math.max(nextAt, at + dayMs);
      setStatus({ checkedAt: at });
    } catch {
      // It is read again from the network.
    }
  }

  return {
    status: () => status,
    page: () => release?.page ?? null,
    check() {
      if (status.phase === 'idle' || status.phase === 'downloaded') {
        phaseBefore = status.phase;
        setStatus({ phase: 'checking', problem: null });
      }
      return look();
    },
    async download() {
      const file = release && fileOf(release);
      if (!feed || !installer || !release || !file || status.phase !== 'idle') return status;
      setStatus({ phase: 'downloading', progress: 0, problem: null });
      try {
        const listed = { ...file, version: release.version, address: new URL(file.name, feed.address) };
        await installer.download(listed, (path) => downloadFile(http, listed, path, onProgress, stopping.signal));
        setStatus({ phase: 'downloaded' });
      } catch (error) {
        if (stopping.signal.aborted) return status;
        if (!(error instanceof AppError)) onError(error);
        setStatus({ phase: 'idle', problem: problemOf(error) });
      }
      choose();
      return status;
    },
    // A second press must not start a second Timbre.
    install: () => (installing ??= install().finally(() => (installing = undefined))),
    onChanged: listeners.add,
    async start() {
      nextAt = clock.now() + startDelayMs;
      if (feed) await readLast(feed);
      isStarted = true;
      choose();
      plan();
    },
    follow({ updates, isOfflineMode }) {
      channel = updates.channel;
      isWanted = updates.isOn && !isOfflineMode;
      if (!isStarted) return;
      choose();
      plan();
    },
    stop() {
      stopping.abort();
      timer.set(null);
    },
  };
}

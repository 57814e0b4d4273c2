import { basename, join } from 'node:path';
import { AppError } from '../../shared/errors.ts';
import type { Emitters, Handlers } from '../../shared/ipc/define-contract.ts';
import type { Contract } from '../../shared/ipc/contract.ts';
import { referenceTo } from '../../shared/schemas/preset.ts';
import { fitSettings } from '../../shared/schemas/settings.ts';
import type { Voice } from '../../shared/schemas/voice.ts';
import type { FolderSpeech, WatchedFile, WatchFolderInfo, WatchSettings } from '../../shared/schemas/watch.ts';
import type { ConnectionRegistry } from '../core/connections/connection-registry.ts';
import type { Core } from '../core/core.ts';
import { isFolder } from '../core/files/folders.ts';
import { type WatchedFileView, toWatchedState } from '../core/watch/watched-state.ts';
import type { FolderView, Watch } from '../core/watch/watch-service.ts';
import type { AllowedPaths } from './allowed-paths.ts';
import type { Dialogs } from './dialogs.ts';
import { toJobInfo } from './jobs.ts';

/** A folder for the page. */
function toFolderInfo(view: FolderView, connections: Pick<ConnectionRegistry, 'nameOf'>): WatchFolderInfo {
  const { folder, counts, baseline, isMeasured, minutesToday } = view;
  const { id, settings, voice } = folder;
  const { connectionId } = settings;
  return {
    id,
    name: basename(settings.path) || settings.path,
    settings,
    voice,
    connectionName: connections.nameOf(connectionId),
    mode: view.mode,
    modeChangedAt: view.since,
    problems: view.problems,
    checkedAt: view.checkedAt,
    scanIntervalSeconds: view.everySeconds,
    baseline: baseline && { ...baseline, isMeasured },
    recorded: counts.known,
    incoming: counts.incoming,
    attention: counts.attention,
    minutesToday,
  };
}

/** A watched file for the page. */
function toWatchedFile(view: WatchedFileView, { allowance }: FolderView): WatchedFile {
  const { record, job } = view;
  return {
    folderId: record.folderId,
    path: record.path,
    sortKey: record.changeNumber,
    stateChangedAt: record.stateChangedAt,
    sizeBytes: record.signature.sizeBytes,
    durationSeconds: record.durationSeconds,
    state: toWatchedState(view, allowance),
    job: job ? toJobInfo(job) : null,
    movedTo: record.movedTo,
  };
}

interface Dependencies {
  readonly connections: Pick<ConnectionRegistry, 'nameOf'>;
  readonly emit: Emitters<Contract>['watch'];
  /** Aborted before the data is closed. */
  readonly signal: AbortSignal;
  onDefect(error: unknown): void;
}

/** Faster updates would not be noticed. */
const emitIntervalMs = 250;
/** Splits a burst of 10,000 files, so that no single message blocks the page. */
const filesPerMessage = 200;

/** Sends changes of watched folders to the page, at most every 250 ms, until `signal` aborts. */
export function emitWatchChanges(watch: Watch, { connections, emit, signal, onDefect }: Dependencies): void {
  const changed = new Map<string, { readonly id: string; readonly path: string }>();
  let isFolderChanged = false;
  let timer: NodeJS.Timeout | undefined;

  function emitFiles(folders: ReadonlyMap<string, FolderView>): void {
    const batch = [...changed].slice(0, filesPerMessage);
    const upserted: WatchedFile[] = [];
    const removed: { folderId: string; path: string }[] = [];
    for (const [key, { id, path }] of batch) {
      changed.delete(key);
      const folder = folders.get(id);
      const view = watch.findFile(id, path);
      if (!folder) continue;
      const isShown = view && (view.record.isPresent || view.record.movedTo !== null || view.record.stage !== 'rest');
      if (isShown) upserted.push(toWatchedFile(view, folder));
      else removed.push({ folderId: id, path });
    }
    if (upserted.length + removed.length > 0) emit.filesChanged({ upserted, removed });
  }

  function emitAll(): void {
    timer = undefined;
    const folders = watch.listFolders();
    // A changed file also changes the counts of its folder.
    if (isFolderChanged || changed.size > 0) {
      isFolderChanged = false;
      emit.changed(folders.map((view) => toFolderInfo(view, connections)));
    }
    emitFiles(new Map(folders.map((view) => [view.folder.id, view])));
    if (changed.size > 0) soon();
  }

  /** A damaged page may be read before the integrity check finds and repairs it. */
  function emitSafely(): void {
    try {
      emitAll();
    } catch (error) {
      onDefect(error);
    }
  }

  const soon = () => (timer ??= setTimeout(emitSafely, emitIntervalMs));
  const ends = [
    watch.onFolder(() => {
      isFolderChanged = true;
      soon();
    }),
    watch.onFile((file) => {
      changed.set(`${file.id}/${file.path}`, file);
      soon();
    }),
  ];
  signal.addEventListener('abort', () => {
    ends.forEach((end) => end());
    clearTimeout(timer);
  });
}

/** Texts are spoken without looking up voices, so a folder keeps the languages of its speakers. Throws `voice/speaker-not-found`. */
async function withSpeakerLanguages(
  { speakers = [], ...speech }: FolderSpeech,
  findVoice: (id: string) => Promise<Voice>,
): Promise<FolderSpeech> {
  if (speakers.length === 0) return speech;
  // Divides texts, too, which the first paint does not need.
  const { withLanguages } = await import('../core/speech/spoken-passages.ts');
  return { ...speech, speakers: await withLanguages(speakers, { language: speech.language, usual: '' }, findVoice) };
}

interface WatchDependencies extends Pick<Core, 'data' | 'voices' | 'connections'>, Pick<Dialogs, 'chooseFile'> {
  readonly places: AllowedPaths;
  reveal(path: string): void;
}

export function createWatchHandlers(dependencies: WatchDependencies): Handlers<Contract>['watch'] {
  const { data, voices, connections, places, chooseFile, reveal } = dependencies;
  const watch = async () => (await data()).watch;
  const info = (view: FolderView): WatchFolderInfo => toFolderInfo(view, connections);

  async function mustKnow({ path, outputFolder }: WatchSettings): Promise<void> {
    const inUse = (await watch())
      .listFolders()
      .flatMap(({ folder: { settings } }) => [settings.path, settings.outputFolder]);
    for (const place of [path, outputFolder]) places.assertAllowed(place, inUse);
  }

  async function save(id: string | null, { speech, ...settings }: WatchSettings): Promise<WatchFolderInfo> {
    // The voices of a connection that was removed may still be known. Throws `connection/not-found`.
    connections.getInfo(settings.connectionId);
    const findVoice = (voiceId: string) => voices.get(settings.connectionId, voiceId);
    const voice = await findVoice(settings.conversion.voiceId);
    const kept = speech && (await withSpeakerLanguages(speech, findVoice));
    return info(await (await watch()).save(id, { ...settings, speech: kept }, voice));
  }

  return {
    list: async () => (await watch()).listFolders().map(info),
    async findFolders({ paths }) {
      for (const path of paths) if (path !== '') places.assertAllowed(path);
      return Promise.all(paths.map(async (path) => (path !== '' && (await isFolder(path)) ? path : null)));
    },
    async preview({ settings }) {
      await mustKnow(settings);
      return (await watch()).preview(settings);
    },
    async save({ id, settings }) {
      await mustKnow(settings);
      if (settings.preset) (await data()).presets.get(settings.preset.id);
      return save(id, settings);
    },
    remove: async ({ id }) => (await watch()).remove(id),
    setPaused: async ({ id, isPaused }) => (await watch()).setPaused(id, isPaused),
    answerBaseline: async ({ id, answer }) => (await watch()).answerBaseline(id, answer),
    async answerPreset({ id, answer }) {
      const { watch: all, presets } = await data();
      const { settings } = all.getFolder(id).folder;
      const preset = presets.list().find((one) => one.id === settings.preset?.id);
      if (answer === 'keep') {
        all.setPreset(id, preset ? referenceTo(preset) : null);
        return;
      }
      if (preset?.kind !== 'conversion') throw new AppError('preset/not-found', `the preset of ${id} is gone`);
      const { connectionId } = preset;
      const connection = connections.getInfo(connectionId);
      const conversion = fitSettings(preset.settings, connection);
      const speech = settings.speech && fitSettings(settings.speech, connection);
      await save(id, { ...settings, connectionId, conversion, speech, preset: referenceTo(preset) });
    },
    async listFiles({ id, before, only }) {
      const all = await watch();
      const folder = all.getFolder(id);
      const files = all.listFiles(id, before, only, filesPerMessage).map((view) => toWatchedFile(view, folder));
      return { files, next: files.length === filesPerMessage ? (files.at(-1)?.sortKey ?? null) : null };
    },
    convert: async ({ id, paths }) => (await watch()).convert(id, paths),
    async explain() {
      const path = await chooseFile();
      if (path === null) return null;
      const all = await watch();
      const answer = await all.explain(path);
      if (answer.kind !== 'file') return { path, answer };
      const file = toWatchedFile(answer.view, all.getFolder(answer.view.record.folderId));
      return { path, answer: { ...answer, file } };
    },
    async reveal({ id, path }) {
      const all = await watch();
      const root = all.getFolder(id).folder.settings.path;
      // Only known files: the page must not reveal any other path.
      if (path !== null && !all.findFile(id, path))
        throw new AppError('request/invalid', `${path} is no file of ${root}`);
      reveal(path === null ? root : join(root, path));
    },
  };
}

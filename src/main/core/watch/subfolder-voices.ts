import { dirname, sep } from 'node:path';
import { AppError, type Problem } from '../../../shared/errors.ts';
import type { Voice } from '../../../shared/schemas/voice.ts';
import { withoutIllegal } from '../../../shared/text/name-template.ts';
import type { Clock } from '../clock.ts';
import type { VoiceCatalogue } from '../voices/voice-catalogue.ts';

/** Finds the voice that a subfolder of a watched folder is named after. */
export interface SubfolderVoices {
  /**
   * The voice for a file, whose path is relative to the watched folder: the innermost subfolder named after a voice
   * decides. Undefined for a file in no subfolder. Throws `watch/no-voice` if none is, `watch/several-voices`, and the
   * problem of a list that is incomplete: a missing voice could be meant.
   */
  find(connectionId: string, path: string): Promise<Voice | undefined>;
  /** Lists the voices again for the next file: a connection has changed. */
  forget(): void;
}

interface Dependencies {
  readonly voices: Pick<VoiceCatalogue, 'listAll'>;
  readonly clock: Pick<Clock, 'now'>;
}

interface VoiceIndex {
  /** No voice in it is older. */
  readonly askedAt: number;
  /** By the name that a folder can have, and by id. */
  readonly voices: ReadonlyMap<string, readonly Voice[]>;
  /** Why voices may be missing; null if none are. */
  readonly problem: Problem | null;
}

/** A catalogue may have hundreds of pages, so a list is used again, but for a shorter time if it may lack the voice. */
const maxAgeMs = 600_000;
const maxAgeOfMissMs = 60_000;

const keyOf = (name: string): string => withoutIllegal(name).trim().toLowerCase();

function indexByName(voices: readonly Voice[]): ReadonlyMap<string, readonly Voice[]> {
  const index = new Map<string, Voice[]>();
  for (const voice of voices) {
    for (const key of new Set([keyOf(voice.name), keyOf(voice.id)])) {
      const named = index.get(key) ?? [];
      if (!named.some(({ id }) => id === voice.id)) index.set(key, [...named, voice]);
    }
  }
  return index;
}

/** The innermost folder that is named after a voice, and all voices with its name. */
function findNamed(index: VoiceIndex, folders: readonly string[]) {
  const k = folders.findLastIndex((folder) => index.voices.has(keyOf(folder)));
  const name = folders[k];
  return name === undefined
    ? undefined
    : { name, voices: index.voices.get(keyOf(name)) ?? [], isInnermost: k === folders.length - 1 };
}

/** True if the names say no voice; any other problem hides which one they mean. */
export const isUnnamed = ({ code }: Problem): boolean => code === 'watch/no-voice' || code === 'watch/several-voices';

export function createSubfolderVoices({ voices, clock }: Dependencies): SubfolderVoices {
  const indexes = new Map<string, Promise<VoiceIndex>>();

  async function list(connectionId: string): Promise<VoiceIndex> {
    const askedAt = clock.now();
    const all = await voices.listAll(connectionId);
    return { askedAt, voices: indexByName(all.voices), problem: all.problem };
  }

  /** A burst of files shares one list; a failed one is not kept. */
  function listAgain(connectionId: string): Promise<VoiceIndex> {
    const index = list(connectionId);
    indexes.set(connectionId, index);
    index.catch(() => {
      if (indexes.get(connectionId) === index) indexes.delete(connectionId);
    });
    return index;
  }

  function isCurrent(index: VoiceIndex, folders: readonly string[]): boolean {
    const named = findNamed(index, folders);
    // A folder further in may have the name of a newer voice.
    const isClear = index.problem === null && named?.isInnermost === true && named.voices.length === 1;
    return Math.abs(clock.now() - index.askedAt) < (isClear ? maxAgeMs : maxAgeOfMissMs);
  }

  /** A list that was asked for after this call, or is new enough. Concurrent callers share one. */
  async function currentIndex(connectionId: string, folders: readonly string[]): Promise<VoiceIndex> {
    const calledAt = clock.now();
    for (;;) {
      const listed = indexes.get(connectionId) ?? listAgain(connectionId);
      const index = await listed;
      if (index.askedAt >= calledAt || isCurrent(index, folders)) return index;
      if (indexes.get(connectionId) === listed) indexes.delete(connectionId);
    }
  }

  return {
    async find(connectionId, path) {
      const subfolder = dirname(path);
      if (subfolder === '.') return undefined;
      const folders = subfolder.split(sep);
      const index = await currentIndex(connectionId, folders);
      const { problem } = index;
      if (problem) throw new AppError(problem.code, `not all voices are known for ${subfolder}`, problem);
      const named = findNamed(index, folders);
      if (!named) {
        const facts = { folder: folders.join('/') };
        throw new AppError('watch/no-voice', `no voice for ${subfolder}`, { facts });
      }
      const { name } = named;
      const [voice, other] = named.voices;
      if (other) throw new AppError('watch/several-voices', `several voices are called ${name}`, { facts: { name } });
      return voice;
    },
    forget: () => indexes.clear(),
  };
}

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
   * decides. Undefined for a file in no subfolder. Throws `watch/no-voice` if none is, `watch/several-voices`, and why
   * the voices cannot be listed.
   */
  find(connectionId: string, path: string): Promise<Voice | undefined>;
}

interface Dependencies {
  readonly voices: Pick<VoiceCatalogue, 'listAll'>;
  readonly clock: Pick<Clock, 'now'>;
}

interface VoiceIndex {
  readonly listedAt: number;
  /** By the name that a folder can have, and by id. */
  readonly voices: ReadonlyMap<string, readonly Voice[]>;
  readonly problem: Problem | null;
}

/** A catalogue may have hundreds of pages, so a list is used again, but for a shorter time if it lacks a voice. */
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

export function createSubfolderVoices({ voices, clock }: Dependencies): SubfolderVoices {
  const indexes = new Map<string, Promise<VoiceIndex>>();

  async function list(connectionId: string): Promise<VoiceIndex> {
    const listedAt = clock.now();
    const all = await voices.listAll(connectionId);
    return { listedAt, voices: indexByName(all.voices), problem: all.problem };
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

  /** All voices with the name of the innermost folder that is named after one. */
  const findNamed = ({ voices: named }: VoiceIndex, folders: readonly string[]): readonly Voice[] =>
    folders
      .toReversed()
      .map((folder) => named.get(keyOf(folder)) ?? [])
      .find(({ length }) => length > 0) ?? [];

  return {
    async find(connectionId, path) {
      const subfolder = dirname(path);
      if (subfolder === '.') return undefined;
      const folders = subfolder.split(sep);
      let index = await (indexes.get(connectionId) ?? listAgain(connectionId));
      const ageMs = Math.abs(clock.now() - index.listedAt);
      const isUnclear = findNamed(index, folders).length !== 1;
      if (ageMs >= (isUnclear ? maxAgeOfMissMs : maxAgeMs)) index = await listAgain(connectionId);
      const [voice, other] = findNamed(index, folders);
      if (voice && !other) return voice;
      const [name = subfolder] = folders;
      if (other) throw new AppError('watch/several-voices', `several voices for ${subfolder}`, { facts: { name } });
      const { problem } = index;
      if (problem) throw new AppError(problem.code, 'the user’s own voices are unknown', problem);
      throw new AppError('watch/no-voice', `no voice is called ${name}`, { facts: { name } });
    },
  };
}

export interface AudioFocus {
  /** Adds a source of sound by what silences it. Returns what it calls before it is heard, which silences all others. */
  join(silence: () => void): () => void;
  silenceAll(): void;
}

/** One sound at a time: whatever begins to be heard silences the rest. */
export function createAudioFocus(): AudioFocus {
  const sources = new Set<() => void>();
  return {
    join(silence) {
      sources.add(silence);
      return () => sources.forEach((other) => other !== silence && other());
    },
    silenceAll: () => sources.forEach((silence) => silence()),
  };
}

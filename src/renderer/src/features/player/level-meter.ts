/** The movement of a bell while its voice is heard. Without an analyser it is still. */
export interface LevelMeter {
  /** Wires sounds to the analyser; once for each. */
  start(sounds: readonly EventTarget[]): void;
  /** Width of a stroke (the fundamental is 0) as a share of its width at rest: 0.93 to 1.07. */
  width(stroke: number): number;
}

const swing = 0.07;
/** Bins of about 94 Hz at 48 kHz: a stroke of the bell takes one to three of them. */
const fftSize = 512;
const binsPerStroke = 2;

/**
 * The sound goes through the analyser to the speakers, so it is wired only when the audio context really runs: a context that waits
 * would silence the player.
 */
export function createLevelMeter(): LevelMeter {
  const wired = new WeakSet<EventTarget>();
  let context: AudioContext | undefined;
  let analyser: AnalyserNode | undefined;
  let levels = new Uint8Array(0);

  function wire(sounds: readonly EventTarget[], into: AudioContext): void {
    if (into.state !== 'running') return;
    if (!analyser) {
      analyser = new AnalyserNode(into, { fftSize, smoothingTimeConstant: 0.6 });
      analyser.connect(into.destination);
      levels = new Uint8Array(analyser.frequencyBinCount);
    }
    for (const sound of sounds) {
      if (wired.has(sound) || !(sound instanceof HTMLMediaElement)) continue;
      wired.add(sound);
      into.createMediaElementSource(sound).connect(analyser);
    }
  }

  return {
    start(sounds) {
      context ??= new AudioContext();
      const into = context;
      void into.resume().then(() => wire(sounds, into));
    },
    width(stroke) {
      if (!analyser) return 1;
      if (stroke === 0) analyser.getByteFrequencyData(levels);
      const level = (levels[1 + stroke * binsPerStroke] ?? 0) / 255;
      return level === 0 ? 1 : 1 - swing + 2 * swing * level;
    },
  };
}

/** Moves the bars of a voice glyph with the sound; without an analyser they rest. */
export interface LevelMeter {
  /** Connects sounds to the analyser, each once. */
  start(sounds: readonly EventTarget[]): void;
  /** Width of a bar (0 is the fundamental) as a share of its width at rest: 0.93 to 1.07. */
  barScale(bar: number): number;
}

const amplitude = 0.07;
/** Bins of about 94 Hz at 48 kHz; a bar covers one to three of them. */
const fftSize = 512;
const binsPerBar = 2;

/** Sounds are connected only once the audio context runs, because a suspended context would silence the player. */
export function createLevelMeter(): LevelMeter {
  const connected = new WeakSet<EventTarget>();
  let context: AudioContext | undefined;
  let analyser: AnalyserNode | undefined;
  let levels = new Uint8Array(0);

  function connect(sounds: readonly EventTarget[], running: AudioContext): void {
    if (running.state !== 'running') return;
    if (!analyser) {
      analyser = new AnalyserNode(running, { fftSize, smoothingTimeConstant: 0.6 });
      analyser.connect(running.destination);
      levels = new Uint8Array(analyser.frequencyBinCount);
    }
    for (const sound of sounds) {
      if (connected.has(sound) || !(sound instanceof HTMLMediaElement)) continue;
      connected.add(sound);
      running.createMediaElementSource(sound).connect(analyser);
    }
  }

  return {
    start(sounds) {
      context ??= new AudioContext();
      const running = context;
      void running.resume().then(() => connect(sounds, running));
    },
    barScale(bar) {
      if (!analyser) return 1;
      if (bar === 0) analyser.getByteFrequencyData(levels);
      const level = (levels[1 + bar * binsPerBar] ?? 0) / 255;
      return level === 0 ? 1 : 1 - amplitude + 2 * amplitude * level;
    },
  };
}

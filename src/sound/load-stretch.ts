/** The part of the Signalsmith Stretch wasm module that we call. Lengths in frames, frequencies as fractions of the sample rate. */
export interface StretchModule {
  /** `split` spreads the work of each spectrum over its samples, for those who play them at once. */
  _configure(channels: number, spectrumFrames: number, intervalFrames: number, split: boolean): void;
  _setTransposeSemitones(semitones: number, tonalityLimit: number): void;
  _setFormantSemitones(semitones: number, keepFormants: boolean): void;
  _setFormantBase(base: number): void;
  _inputLatency(): number;
  _outputLatency(): number;
  _setBuffers(channels: number, frames: number): number;
  _reset(): void;
  _seek(frames: number, playbackRate: number): void;
  _process(inputFrames: number, outputFrames: number): void;
  readonly exports?: { readonly memory: { readonly buffer: ArrayBuffer } };
  readonly HEAP8?: { readonly buffer: ArrayBuffer };
}

interface Port {
  onmessage: unknown;
  postMessage(message: readonly unknown[]): void;
}
interface Processor {
  readonly port: Port;
  readonly wasmModule: StretchModule;
}
type ProcessorClass = new (options: { numberOfOutputs: 1; outputChannelCount: readonly [number] }) => Processor;

/** The globals of an audio worklet, which is what the package expects to be loaded in. */
interface WorkletGlobals {
  AudioWorkletProcessor?: unknown;
  registerProcessor?: unknown;
  sampleRate?: number;
  currentTime?: number;
}

let onReady: (() => void) | null = null;
let loading: Promise<ProcessorClass> | null = null;

async function loadProcessorClass(): Promise<ProcessorClass> {
  const globals = globalThis as WorkletGlobals;
  const registered: ProcessorClass[] = [];
  globals.AudioWorkletProcessor = class {
    readonly port: Port = {
      onmessage: null,
      postMessage: ([kind]) => {
        if (kind === 'ready') onReady?.();
      },
    };
  };
  globals.registerProcessor = (_name: string, processor: ProcessorClass) => {
    registered.push(processor);
  };
  try {
    await import('signalsmith-stretch');
  } finally {
    delete globals.registerProcessor;
    delete globals.AudioWorkletProcessor;
  }
  const [found] = registered;
  if (!found) throw new Error('signalsmith-stretch did not register its processor');
  return found;
}

let queue: Promise<unknown> = Promise.resolve();

/**
 * A fresh instance of the Signalsmith Stretch wasm module (npm signalsmith-stretch, MIT) outside an audio worklet. The package has
 * no entry for that: it is let believe that it is inside one, and its processor class hands over the module. This touches
 * globalThis and is no promise of the author, so the version is pinned and `stretch-sound.test.ts` holds what we rely on. Calls
 * wait for each other.
 */
export function loadStretch(channels: number, sampleRate: number): Promise<StretchModule> {
  const next = queue.then(async () => {
    loading ??= loadProcessorClass();
    const Processor = await loading;
    const globals = globalThis as WorkletGlobals;
    globals.sampleRate = sampleRate;
    globals.currentTime = 0;
    const ready = new Promise<void>((resolve) => (onReady = resolve));
    const processor = new Processor({ numberOfOutputs: 1, outputChannelCount: [channels] });
    await ready;
    onReady = null;
    return processor.wasmModule;
  });
  queue = next.catch(() => undefined);
  return next;
}

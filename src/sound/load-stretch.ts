/**
 * The functions of the Signalsmith Stretch wasm module that we call. Lengths in frames, frequencies
 * as fractions of the sample rate.
 */
export interface StretchModule {
  /** `split` spreads the work on a spectrum over its samples, for real-time playback. */
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

/** The globals of an audio worklet, in which the package expects to run. */
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
  const [processorClass] = registered;
  if (!processorClass) throw new Error('signalsmith-stretch did not register its processor');
  return processorClass;
}

let queue: Promise<unknown> = Promise.resolve();

/**
 * Creates an instance of the Signalsmith Stretch wasm module (npm signalsmith-stretch, MIT) outside
 * an audio worklet. The package has no entry for that, so this fakes the worklet's globals and takes
 * the module from the processor class. That changes globalThis and is not a supported use, so the
 * version is pinned and `stretch-sound.test.ts` checks what we rely on. Calls are serialized.
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

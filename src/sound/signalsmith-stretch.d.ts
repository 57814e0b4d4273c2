declare module 'signalsmith-stretch' {
  /** Registers its processor class when loaded, if AudioWorkletProcessor and registerProcessor exist. */
  const registered: unknown;
  export default registered;
}

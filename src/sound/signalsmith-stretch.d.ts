declare module 'signalsmith-stretch' {
  /** Run where AudioWorkletProcessor and registerProcessor exist, the module registers its processor class as a side effect. */
  const registered: unknown;
  export default registered;
}

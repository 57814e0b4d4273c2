/** A command from the parent process to the engine. */
export type EngineCommand =
  | {
      readonly type: 'start';
      /** Tasks, uploads and results are stored in `<dataDirectory>/engine`. */
      readonly dataDirectory: string;
      /** TCP port on 127.0.0.1. 0 or omitted: a free one. */
      readonly port?: number;
    }
  /** Answers the calls that are open, takes no others, and ends. */
  | { readonly type: 'drain' }
  | { readonly type: 'stop' };

/** An event from the engine to its parent. Sent once after each `start`. */
export type EngineEvent =
  | { readonly type: 'listening'; /** `http://127.0.0.1:PORT` */ readonly origin: string; readonly token: string }
  | { readonly type: 'failed'; readonly code: string; readonly message: string };

/** What the parent process tells the engine. */
export type EngineCommand =
  | {
      readonly type: 'start';
      /** Tasks, uploads and results go to `<dataDirectory>/engine`. */
      readonly dataDirectory: string;
      /** TCP port on 127.0.0.1; 0 or left out: a free one. */
      readonly port?: number;
    }
  | { readonly type: 'stop' };

/** What the engine tells its parent, once after each `start`. */
export type EngineEvent =
  | { readonly type: 'listening'; /** `http://127.0.0.1:PORT` */ readonly origin: string; readonly token: string }
  | { readonly type: 'failed'; readonly code: string; readonly message: string };

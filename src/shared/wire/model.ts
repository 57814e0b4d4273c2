/** A person's own voice at a service (interface, "Model"). */
export interface Model {
  readonly id: string;
  /** Also the key by which it is deleted; two may have the same. */
  readonly name: string;
  /** What goes into `voice` to use it: which field that is, the connection says. */
  readonly voiceId: string;
  readonly languageCode: string;
  readonly gender: string;
  /** ISO 8601, UTC. */
  readonly creationDate: string;
}

export interface ModelPage {
  /** From 1. */
  readonly page: number;
  readonly pages: number;
  readonly total: number;
  readonly models: readonly Model[];
}

export interface DeletedModel {
  readonly modelName: string;
  readonly message: string;
}

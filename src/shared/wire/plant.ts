/** The interface's sample (operation 9). `id` is an int64 as a decimal string: a JavaScript number would round it. */
export interface NewPlant {
  readonly id: string;
  readonly name: string;
  readonly tag: string | null;
}

export interface Plant {
  readonly name: string;
  readonly tag: string | null;
}

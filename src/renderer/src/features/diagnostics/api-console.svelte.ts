import { SvelteMap } from 'svelte/reactivity';
import type { Problem } from '../../../../shared/errors.ts';
import { operations, type ChosenFile, type Exchange, type Operation } from '../../../../shared/schemas/diagnostics.ts';
import { type Api, toProblem } from '../../lib/api.ts';
import { callOf, forms, startValues, type FormField } from './operation-fields.ts';

/** What was not sent, and why. */
export interface Refusal {
  readonly operation: Operation;
  /** The field that is to be changed; undefined where it is none. */
  readonly field: FormField | undefined;
  readonly problem: Problem;
}

/**
 * The nine operations by hand: what stands in their forms, the one call that may be under way, and what the last call of each came to.
 * All of it stays while the person looks elsewhere.
 */
export class ApiConsole {
  readonly #api: Api['diagnostics'];
  operation = $state<Operation>('create');
  /** Null until a person chose one: then it is the connection that recordings go through. */
  connectionId = $state<string | null>(null);
  readonly values = $state(
    Object.fromEntries(operations.map((operation) => [operation, startValues(operation)])) as Record<
      Operation,
      Record<string, string | boolean>
    >,
  );
  file = $state.raw<ChosenFile | null>(null);
  readonly exchanges = new SvelteMap<Operation, Exchange>();
  refusal = $state.raw<Refusal | null>(null);
  /** The call under way, and when it began, in milliseconds since 1970. */
  running = $state.raw<{ readonly operation: Operation; readonly since: number } | null>(null);

  constructor(api: Api['diagnostics']) {
    this.#api = api;
  }

  set(operation: Operation, field: string, value: string | boolean): void {
    this.values[operation][field] = value;
    if (this.refusal?.operation === operation) this.refusal = null;
  }

  /** A voice to begin with, where none was named. */
  suggestVoice(voiceId: string): void {
    for (const operation of ['create', 'convert', 'speech', 'voice'] as const) {
      if (this.values[operation]['voice'] === '') this.values[operation]['voice'] = voiceId;
    }
  }

  async chooseFile(): Promise<void> {
    try {
      const file = await this.#api.chooseFile();
      if (file === null) return;
      this.file = file;
      this.set('upload', 'audioFile', file.id);
      if (this.values.convert['audioName'] === '') this.values.convert['audioName'] = file.name;
    } catch (error) {
      this.#refuse('upload', error);
    }
  }

  /** Sends the chosen operation, once; while one is under way no other is sent. */
  async send(connectionId: string): Promise<void> {
    if (this.running) return;
    const { operation } = this;
    const values = $state.snapshot(this.values[operation]);
    this.refusal = null;
    this.running = { operation, since: Date.now() };
    try {
      const exchange = await this.#api.call({ connectionId, call: callOf(operation, values) });
      this.exchanges.set(operation, exchange);
      if (exchange.task) this.#take(exchange.task, values);
    } catch (error) {
      this.#refuse(operation, error);
    } finally {
      this.running = null;
    }
  }

  async stop(): Promise<void> {
    await this.#api.stop();
  }

  /** What one reply gives goes into the next forms. */
  #take(task: NonNullable<Exchange['task']>, asked: Readonly<Record<string, string | boolean>>): void {
    const { upload, convert } = this.values;
    upload['uuid'] = convert['uuid'] = task.taskId;
    upload['Changer-Type'] = task.changerType;
    convert['voice'] = asked['voice'] ?? '';
    convert['engine'] = asked['engine'] ?? '';
  }

  #refuse(operation: Operation, error: unknown): void {
    const problem = toProblem(error);
    const path = problem.facts?.['field'];
    const name = typeof path === 'string' ? path.replace(/^call\./, '') : '';
    this.refusal = { operation, field: forms[operation].fields.find((field) => field.name === name), problem };
  }
}

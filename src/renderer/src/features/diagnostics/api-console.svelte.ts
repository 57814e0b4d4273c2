import { SvelteMap } from 'svelte/reactivity';
import type { Problem } from '../../../../shared/errors.ts';
import { type OperationId, operationIds } from '../../../../shared/operations.ts';
import type { ChosenFile, Exchange } from '../../../../shared/schemas/diagnostics.ts';
import { type Api, toProblem } from '../../lib/api.ts';
import { callOf, type FormField, formFields, startValues } from './operation-fields.ts';

/** A call that was not sent, and why. */
export interface Rejection {
  readonly operation: OperationId;
  /** The field to change; undefined if it is none. */
  readonly field: FormField | undefined;
  readonly problem: Problem;
}

/**
 * Calls of the service's operations, one at a time: the values of each form and the last exchange of
 * each operation. Kept while the view is closed.
 */
export class ApiConsole {
  readonly #api: Api['diagnostics'];
  operation = $state<OperationId>('create-task');
  /** Null means the connection that new jobs use. */
  connectionId = $state<string | null>(null);
  readonly values = $state(
    Object.fromEntries(operationIds.map((operation) => [operation, startValues(operation)])) as Record<
      OperationId,
      Record<string, string | boolean>
    >,
  );
  file = $state.raw<ChosenFile | null>(null);
  readonly exchanges = new SvelteMap<OperationId, Exchange>();
  rejection = $state.raw<Rejection | null>(null);
  /** The running call and its start in milliseconds since 1970. */
  running = $state.raw<{ readonly operation: OperationId; readonly since: number } | null>(null);

  constructor(api: Api['diagnostics']) {
    this.#api = api;
  }

  set(operation: OperationId, field: string, value: string | boolean): void {
    this.values[operation][field] = value;
    if (this.rejection?.operation === operation) this.rejection = null;
  }

  /** Fills in the voice where the user has not entered one. */
  suggestVoice(voiceId: string): void {
    for (const operation of operationIds) {
      const values = this.values[operation];
      for (const { name, kind } of formFields(operation)) {
        if (kind === 'voice' && values[name] === '') values[name] = voiceId;
      }
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
      this.#reject('upload', error);
    }
  }

  /** Sends the selected operation once. Does nothing while a call is running. */
  async send(connectionId: string): Promise<void> {
    if (this.running) return;
    const { operation } = this;
    const values = $state.snapshot(this.values[operation]);
    this.rejection = null;
    this.running = { operation, since: Date.now() };
    try {
      const exchange = await this.#api.call({ connectionId, call: callOf(operation, values) });
      this.exchanges.set(operation, exchange);
      if (exchange.task) this.#prefill(exchange.task, values);
    } catch (error) {
      this.#reject(operation, error);
    } finally {
      this.running = null;
    }
  }

  async stop(): Promise<void> {
    await this.#api.cancelCall();
  }

  /** Fills a created task into the next forms. */
  #prefill(task: NonNullable<Exchange['task']>, sent: Readonly<Record<string, string | boolean>>): void {
    const { upload, convert } = this.values;
    upload['uuid'] = convert['uuid'] = task.taskId;
    upload['Changer-Type'] = task.changerType;
    convert['voice'] = sent['voice'] ?? '';
    convert['engine'] = sent['engine'] ?? '';
  }

  #reject(operation: OperationId, error: unknown): void {
    const problem = toProblem(error);
    const path = problem.facts?.['field'];
    const name = typeof path === 'string' ? path.replace(/^call\./, '') : '';
    const field = formFields(operation).find((one) => one.name === name);
    this.rejection = { operation, field, problem };
  }
}

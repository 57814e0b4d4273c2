import * as v from 'valibot';
import { AppError } from '../../../shared/app-error.ts';
import { isHeaderValue } from '../../../shared/header-value.ts';
import type { ChangerEngine } from '../../../shared/wire/settings.ts';
import { addressOf } from './address.ts';
import type { Connection } from './connection.ts';
import type { Http } from './http.ts';
import { readJson } from './read-json.ts';
import { authorizationOf, jsonTimeoutsOf, withoutOmitted } from './service-call.ts';

export interface Task {
  readonly taskId: string;
  /** Goes into the `Changer-Type` header of the upload. */
  readonly changerType: string;
}

const taskReply = v.looseObject({ taskId: v.pipe(v.string(), v.minLength(1)) });

/** Interface, operation 1. The field that carries the changer type is a hole: the connection names the candidates. */
export async function createTask(
  http: Http,
  connection: Connection,
  { voice, engine }: { readonly voice: string; readonly engine: ChangerEngine },
  signal: AbortSignal,
): Promise<Task> {
  const access = await connection.access(signal);
  const address = addressOf(access.hosts.voice, '/api/createaudiofilechanger');
  const reply = await http.send({
    method: 'POST',
    address,
    headers: { ...authorizationOf(connection, access, address), 'content-type': 'application/json' },
    body: JSON.stringify(
      withoutOmitted(connection.document, 'create-task', { voice, from: 'fv-file-changer', operation: 'FVC', engine }),
    ),
    ...jsonTimeoutsOf(connection),
    signal,
  });
  const task = await readJson(reply, taskReply);
  const { fields, fallback } = connection.document.changerType;
  const named = fields.map((field) => task[field]).find((value) => typeof value === 'string' && value !== '');
  if (typeof named === 'string' && !isHeaderValue(named)) {
    const field = fields.find((name) => task[name] === named) ?? '';
    throw new AppError('service/not-understood', `${field} cannot be sent in a header`, { facts: { field } });
  }
  return { taskId: task.taskId, changerType: typeof named === 'string' ? named : fallback };
}

import type { ServerResponse } from 'node:http';
import {
  replyJson,
  startScriptedService,
  type SeenRequest,
} from '../../src/main/core/voice-service/scripted-service.fixture.ts';
import { examples } from './examples.ts';
import { endpoints, type Endpoint, type OperationId } from './interface-table.ts';
import { readForm } from './read-form.ts';

export type Answer = (response: ServerResponse, request: SeenRequest) => void;

export const json =
  (body: unknown, status = 200): Answer =>
  (response) =>
    replyJson(response, body, status);

export interface RecordingService {
  readonly origin: string;
  /** Five base addresses that differ in their paths: what is asked at the wrong one finds nothing. */
  readonly hosts: Readonly<Record<Endpoint['host'], string>>;
  /** All that arrived, also what belongs to no operation. */
  readonly requests: readonly SeenRequest[];
  /** The last request of an operation. Throws where there was none. */
  seen(operation: OperationId): SeenRequest;
  stop(): Promise<void>;
}

const basePath = (host: string) => `/at/${host}`;

/** Matches the address of an endpoint, its parameter and its query in groups. */
const patternOf = ({ host, path }: Endpoint) =>
  new RegExp(`^${basePath(host)}${path.replace(/\{\w+\}/, '(?<parameter>[^/?]+)')}(?:\\?(?<query>.*))?$`);

const isFor =
  ({ method, url }: SeenRequest) =>
  (endpoint: Endpoint) =>
    endpoint.method === method && patternOf(endpoint).test(url);

/** A server of the interface that records its requests, and replies with successes by default. */
export async function startRecordingService(
  answers: Partial<Readonly<Record<OperationId, Answer>>> = {},
): Promise<RecordingService> {
  const service = await startScriptedService((request, response) => {
    const endpoint = endpoints.find(isFor(request));
    if (!endpoint) replyJson(response, { error: 'Nothing here.', details: request.url }, 404);
    else (answers[endpoint.id] ?? json(examples[endpoint.id].reply))(response, request);
  });
  const { origin, requests } = service;
  const at = (host: string) => origin + basePath(host);
  return {
    origin,
    hosts: {
      voice: at('voice'),
      upload: at('upload'),
      converter: at('converter'),
      models: at('models'),
      sample: at('sample'),
    },
    requests,
    seen(operation) {
      const found = requests.findLast((request) => endpoints.find(isFor(request))?.id === operation);
      if (!found) throw new Error(`${operation} was not asked`);
      return found;
    },
    stop: () => service.stop(),
  };
}

const leaves = (value: unknown, prefix: string): readonly (readonly [string, unknown])[] =>
  typeof value === 'object' && value !== null
    ? Object.entries(value).flatMap(([key, inner]) => leaves(inner, prefix ? `${prefix}.${key}` : key))
    : [[prefix, value]];

const numberOr = (text: string): unknown => (/^\d+$/.test(text) ? Number(text) : text);

/** What a request holds, by place and name: `body voice`, `query page`, `part audioFile`. Whole numbers in a query are numbers. */
export function contentsOf(endpoint: Endpoint, request: SeenRequest): ReadonlyMap<string, unknown> {
  const { parameter, query = '' } = patternOf(endpoint).exec(request.url)?.groups ?? {};
  const { 'content-type': contentType = '', 'changer-type': changerType } = request.headers;
  const [, parameterName = ''] = /\{(\w+)\}/.exec(endpoint.path) ?? [];
  const inBody = (): readonly (readonly [string, unknown])[] => {
    if (request.body.length === 0) return [];
    if (endpoint.content === 'form') {
      return readForm(contentType, request.body).map(({ name, content }) => [`part ${name}`, content]);
    }
    return leaves(JSON.parse(request.body.toString()), '').map(([name, value]) => [`body ${name}`, value]);
  };
  return new Map<string, unknown>([
    ...(parameter === undefined ? [] : [[`path ${parameterName}`, decodeURIComponent(parameter)] as const]),
    ...[...new URLSearchParams(query)].map(([name, value]) => [`query ${name}`, numberOr(value)] as const),
    ...(changerType === undefined ? [] : [['header Changer-Type', changerType] as const]),
    ...inBody(),
  ]);
}

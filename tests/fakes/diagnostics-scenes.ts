import type { OperationId } from '../../src/shared/operations.ts';
import type {
  HealthCheck,
  CheckResult,
  Exchange,
  ShownBody,
  ShownHeader,
} from '../../src/shared/schemas/diagnostics.ts';
import type { LogRow } from '../../src/shared/schemas/log.ts';
import type { Scene } from './fake-bridge.ts';
import type { DiagnosticsScene } from './fake-diagnostics.ts';
import { empty, inSettings, studio } from './base-scene.ts';

const data = '/home/ada/.config/Timbre';
const results = '/home/ada/Recordings/Audiobook of the lighthouse/finished';
const ok = (finding: CheckResult['finding']): CheckResult => ({ ok: true, finding });
const bad = (finding: CheckResult['finding']): CheckResult => ({ ok: false, finding });

const well: readonly HealthCheck[] = [
  { subject: 'data-folder', result: ok({ kind: 'writable', folder: data }) },
  { subject: 'data', result: ok({ kind: 'opens' }) },
  { subject: 'connection/This computer', result: ok({ kind: 'answers', connection: null }) },
  { subject: 'connection/Studio North', result: ok({ kind: 'answers', connection: 'Studio North' }) },
  { subject: 'keychain', result: ok({ kind: 'keychain' }) },
  { subject: 'output-folder', result: ok({ kind: 'writable', folder: results }) },
  { subject: 'disk', result: ok({ kind: 'free', folder: results, bytes: 214e9 }) },
  { subject: 'data-disk', result: ok({ kind: 'free', folder: data, bytes: 214e9 }) },
  { subject: 'clock', result: ok({ kind: 'clock', connection: 'Studio North', seconds: 1 }) },
  { subject: 'watching', result: ok({ kind: 'told', folder: data }) },
];
const changed = (changes: Readonly<Record<string, CheckResult>>): readonly HealthCheck[] =>
  well.map((line) => ({ ...line, result: changes[line.subject] ?? line.result }));
const round = (checks: readonly HealthCheck[]) => ({
  at: Date.now() - 40_000,
  version: '0.1.0',
  system: 'Linux 6.8.0 x64, Electron 45.5.0, Node 24.21.0',
  checks,
});

const body = (kind: ShownBody['kind'], text: string, change: Partial<ShownBody> = {}): ShownBody => ({
  kind,
  text,
  format: '',
  sizeBytes: text.length,
  isCut: false,
  ...change,
});
const json = (value: unknown): ShownBody => body('json', JSON.stringify(value, null, 2));
const none = body('empty', '');
const host = 'https://voice.studio-north.example';
const sent = (type?: string): readonly ShownHeader[] => [
  { name: 'host', value: 'voice.studio-north.example' },
  { name: 'accept-encoding', value: 'identity' },
  { name: 'user-agent', value: 'Timbre' },
  { name: 'authorization', value: null },
  ...(type === undefined ? [] : [{ name: 'content-type', value: type }]),
];
const got = (type: string): readonly ShownHeader[] => [
  { name: 'content-type', value: type },
  { name: 'set-cookie', value: null },
  { name: 'x-request-id', value: '7c1e90' },
];

function exchange(
  operation: OperationId,
  line: string,
  asked: ShownBody,
  answer: ShownBody | null,
  change: Partial<Exchange> & { readonly status?: number; readonly type?: string } = {},
): Exchange {
  const { status = 200, type = 'application/json; charset=utf-8', ...rest } = change;
  const [method = '', path = ''] = line.split(' ');
  return {
    operation,
    request: {
      method,
      address: host + path,
      headers: sent(asked.kind === 'empty' ? undefined : 'application/json'),
      body: asked,
    },
    reply: answer && { status, headers: got(type), body: answer, isWhole: true },
    ms: 84,
    tokenSource: 'keychain',
    problem: null,
    isStopped: false,
    task: null,
    ...rest,
  };
}

const spoken = { AppId: '107', FeatureId: '22', speech: 'The ferry had left.', voice: 'bright-reader' };
const speak = json({
  ...spoken,
  Parameter: { Speed: '0.92', LanguageCode: 'en-NG', Pitch: '1.0' },
  engine: 'v7',
  platform: 'web',
});
const audio = body('audio', '', { format: 'mp3', sizeBytes: 38_912 });
const page = '<!doctype html>\n<title>Sign in</title>\n<p>Please sign in to this network.</p>';
const fern = json({ id: 1, name: 'Fern', tag: 'green' });
const plant = body('json', fern.text.replace('1', '9223372036854775807'));
const longLine = `/api/getvoicedetail?voiceId=${'Donaudampfschifffahrtselektrizitaet'.repeat(6)}`;

const exchanges: DiagnosticsScene['exchanges'] = {
  'create-task': exchange(
    'create-task',
    'POST /api/createaudiofilechanger',
    json({ voice: 'bright-reader', from: 'fv-file-changer', operation: 'FVC', engine: 'v7' }),
    json({ message: 'Task created.', taskId: 'b2c1f0a4-6f0d-4f1c-9c1a-0f7a1d2e3c4b', changerType: 'FVC' }),
    { task: { taskId: 'b2c1f0a4-6f0d-4f1c-9c1a-0f7a1d2e3c4b', changerType: 'FVC' } },
  ),
  speech: exchange('speech', 'POST /api/fsmstexttospeech', speak, audio, { type: 'audio/mpeg', ms: 960 }),
  voices: exchange(
    'voices',
    'GET /api/pagevoices?version=v2&page=0&limit=20',
    none,
    body('json', JSON.stringify({ page: 0, limit: 20, total: 312, voices: Array(60).fill(spoken) }, null, 2), {
      sizeBytes: 1_204_000,
      isCut: true,
    }),
  ),
  'voice-detail': exchange(
    'voice-detail',
    `GET ${longLine}`,
    none,
    json({ error: 'Invalid voice identifier.', details: 'x' }),
    {
      status: 400,
      problem: {
        code: 'service/refused',
        facts: { status: 400 },
        words: 'Invalid voice identifier. The provided voice ID does not exist.',
      },
    },
  ),
  models: exchange('models', 'GET /api/models/list?page=1&limit=20', none, body('text', page), {
    type: 'text/html',
    problem: { code: 'service/not-understood', facts: { field: '' } },
  }),
  plant: exchange('plant', 'POST /plants', plant, json({ name: 'Fern', tag: 'green' })),
  'delete-model': exchange('delete-model', 'DELETE /v1/models/My%20voice', none, null, {
    problem: { code: 'network/unreachable', facts: { host: 'voice.studio-north.example', reason: 'ECONNREFUSED' } },
  }),
};

const stack = [
  '    at parse (file:///opt/timbre/out/main/index.js:1:2041)',
  '    at async convert (file:///opt/timbre/out/main/index.js:1:9917) {',
  "  problem: { code: 'internal' },",
  "  [cause]: TypeError: Cannot read properties of undefined (reading 'length')",
].join('\n');
const job = '7c1e90aa-51f0-4b8e-9c1d-2f8f4f0b6a11';
const happened: readonly Omit<LogRow, 'id' | 'time'>[] = [
  { level: 'info', area: 'app', message: 'Timbre 0.1.0 started' },
  { level: 'info', area: 'watch', message: '/home/ada/Recordings/Audiobook of the lighthouse: watching' },
  { level: 'info', area: 'job', message: `conversion sent, which may be charged (Studio North, ${job})` },
  { level: 'info', area: 'job', message: `conversion answered (Studio North, ${job})` },
  { level: 'info', area: 'job', message: `conversion done (Studio North, ${job})` },
  { level: 'debug', area: 'engine', message: 'listening on 127.0.0.1:41233' },
  {
    level: 'warn',
    area: 'network',
    message:
      'GET https://voice.studio-north.example: network/unreachable, host voice.studio-north.example, reason ECONNREFUSED',
  },
  { level: 'info', area: 'queue', message: 'paused (offline at Studio North): network/unreachable' },
  { level: 'info', area: 'queue', message: 'pause ended (offline at Studio North)' },
  { level: 'error', area: 'job', message: 'AppError: the reply has no body', detail: stack },
];
const log: readonly LogRow[] = Array.from({ length: 12 }, (_, k) => happened.map((entry) => ({ k, entry })))
  .flat()
  .map(({ k, entry }, n) => ({
    ...entry,
    id: `scene:${n}`,
    time: new Date(Date.UTC(2026, 10, 22, 13, k, n % 60, (n * 137) % 1000)).toISOString(),
  }));

const diagnostics = { round: round(well), running: [], file: null, log, exchanges };
const file = { id: 'f', name: 'chapter 04, the lighthouse (second attempt, final FINAL).wav', sizeBytes: 58_000_000 };
const base: Scene = {
  ...inSettings(empty, { connectionId: 'north', outputFolder: results }),
  connections: [...empty.connections, studio],
  diagnostics: { ...diagnostics, file },
};
const wrong = round(
  changed({
    'connection/Studio North': bad({
      kind: 'fails',
      connection: 'Studio North',
      problem: { code: 'auth/refused', words: 'Token expired on 19 November.' },
    }),
    keychain: bad({ kind: 'no-keychain', why: 'Cannot autolaunch D-Bus without X11 $DISPLAY' }),
    disk: bad({ kind: 'full', folder: results, bytes: 340e6 }),
    clock: bad({ kind: 'clock-off', connection: 'Studio North', seconds: 640 }),
  }),
);

/** The scenes of Diagnostics. */
export const diagnosticsScenes = {
  diagnostics: base,
  'diagnostics-german': inSettings(base, { language: 'de' }),
  'diagnostics-contrast': inSettings(base, { contrast: 'more' }),
  'diagnostics-local': {
    ...inSettings(base, { connectionId: 'local' }),
    connections: empty.connections,
    diagnostics: {
      ...diagnostics,
      round: round(
        changed({ clock: ok({ kind: 'no-clock' }) }).filter(({ subject }) => subject !== 'connection/Studio North'),
      ),
    },
  },
  'diagnostics-looking': {
    ...base,
    diagnostics: { ...diagnostics, running: ['connection/Studio North', 'clock', 'watching'] },
  },
  'diagnostics-wrong': { ...base, diagnostics: { ...diagnostics, round: wrong } },
  'diagnostics-wrong-german': {
    ...inSettings(base, { language: 'de' }),
    diagnostics: { ...diagnostics, round: wrong },
  },
  'diagnostics-log-empty': { ...base, diagnostics: { ...diagnostics, log: [] } },
  'diagnostics-broken': { ...base, failures: { 'diagnostics:runChecks': 'settings/unreadable' } },
  'diagnostics-busy': { ...base, diagnostics: { ...diagnostics, exchanges: {} } },
  'diagnostics-stopped': {
    ...base,
    diagnostics: {
      ...diagnostics,
      exchanges: {
        models: exchange('models', 'GET /api/models/list?page=1&limit=20', none, null, { isStopped: true }),
      },
    },
  },
  'diagnostics-names': {
    ...base,
    connections: [
      ...empty.connections,
      { ...studio, name: 'Studio of the north-western harbour district, second floor' },
    ],
  },
} as const satisfies Readonly<Record<string, Scene>>;

// Fails when a token of any length is printed, kept or shown in any form, or when it turns a lost paid reply into a failure.
import { once } from 'node:events';
import { copyFile, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { inspect } from 'node:util';
import { systemClock } from '../../../src/main/core/clock.ts';
import { createConnectionRegistry } from '../../../src/main/core/connections/connection-registry.ts';
import { openQueue } from '../../../src/main/core/jobs/open-queue.fixture.ts';
import { settled } from '../../../src/main/core/jobs/wait-for-jobs.ts';
import { createHttp } from '../../../src/main/core/voice-service/http.ts';
import { replyJson, startScriptedService } from '../../../src/main/core/voice-service/scripted-service.fixture.ts';
import { isToken } from '../../../src/shared/schemas/connection.ts';
import { defaultSettings } from '../../../src/shared/schemas/settings.ts';
import { filesWith, formsOf } from '../support/queue/secrets.ts';
import { must, type Scenario, type ScenarioContext } from '../support/scenario.ts';

const sample = join(import.meta.dirname, '../../../samples/lantern.mp3');
const commandLine = new URL('../../../out/main/cli.js', import.meta.url);
const lengths = [1, 300, 900, 1000, 1024, 1100, 2000, 2561, 4000, 16_383, 16_384, 65_536];
/** What a header of Node's server holds beside the others. */
const longestHeader = 12_000;

const waysToSay: readonly ((token: string) => string)[] = [
  (token) => token,
  encodeURIComponent,
  (token) => JSON.stringify(token).slice(1, -1),
  (token) => JSON.stringify(JSON.stringify(token)).slice(1, -1),
  (token) => token.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;'),
  (token) => Buffer.from(`Bearer ${token}`).toString('base64'),
  (token) => Buffer.from(token).toString('base64url'),
  (token) => Buffer.from(token).toString('hex'),
];

/** A token of one character is a character that occurs nowhere else. */
function tokenOf(length: number, context: ScenarioContext): string {
  if (length === 1) return '~';
  const random = context.random
    .bytes(length)
    .toString('base64')
    .replaceAll('=', '/')
    .slice(0, length - 5);
  return `"<&+/${random}`;
}

/** Any form of it, or its first part: what was cut is found too. */
function mustHoldNone(what: string, shown: string, token: string): void {
  const forms = token.length === 1 ? [token] : formsOf(token).map((form) => form.slice(0, 60));
  const found = forms.find((form) => shown.includes(form));
  must(found === undefined, `${what}: the token of ${token.length} characters is shown`);
}

async function replies(context: ScenarioContext, length: number): Promise<number> {
  const token = tokenOf(length, context);
  let said = '';
  const service = await startScriptedService(({ url }, response) => {
    if (url.includes('createaudiofilechanger')) return replyJson(response, { message: said, taskId: `t ${said}` });
    if (url.includes('pagevoices')) {
      const entry = { id: `v ${said}`, name: said, language: 'en-GB', gender: said, category: said };
      return replyJson(response, { page: 0, limit: 100, total: 1, voices: [entry] });
    }
    return replyJson(response, { error: `No ${said}.`, details: said }, 401);
  });
  const http = createHttp({ proxy: 'direct' });
  const authorization = length > longestHeader ? '' : 'Bearer {token}';
  const connection = service.connection({ authorization }, token);
  const opened = createConnectionRegistry(http, [connection]).service(connection.id);
  const { signal } = new AbortController();
  let count = 0;
  for (const say of length === 1 ? waysToSay.slice(0, 1) : waysToSay) {
    said = say(token);
    const error: unknown = await opened.listModels({ page: 1, limit: 1 }, signal).catch((cause: unknown) => cause);
    mustHoldNone('an error', inspect(error, { depth: 9, maxStringLength: null }), token);
    mustHoldNone('a problem', JSON.stringify((error as { problem?: unknown }).problem), token);
    const page = await opened.listVoices({ page: 0, limit: 100 }, signal).catch((cause: unknown) => String(cause));
    const task = await opened.createTask({ voice: 'v', engine: 'v5' }, signal).catch((cause: unknown) => String(cause));
    if (length > 1) mustHoldNone('a reply', JSON.stringify([page, task]), token);
    count += 3;
  }
  await http.close();
  await service.stop();
  return count;
}

/** The reply of the paid call echoes the token and breaks off, so its outcome is unknown. */
async function lostReply(context: ScenarioContext, length: number): Promise<void> {
  const token = tokenOf(length, context);
  const folder = join(context.folder, `lost-${length}`);
  await mkdir(folder);
  const service = await startScriptedService(({ url }, response) => {
    if (url.includes('createaudiofilechanger')) return replyJson(response, { message: token, taskId: 't' });
    if (url.includes('uploadaudiofile')) return replyJson(response, { message: token, uuid: 't' });
    response.writeHead(200, { 'content-length': '100000' }).write(`{"message": ${JSON.stringify(token.slice(0, 500))}`);
    setImmediate(() => response.destroy());
  });
  const http = createHttp({ proxy: 'direct' });
  const connection = service.connection({ authorization: length > longestHeader ? '' : 'Bearer {token}' }, token);
  const queue = await openQueue({
    dataFolder: join(folder, 'data'),
    clock: systemClock,
    random: () => 0,
    connections: createConnectionRegistry(http, [connection]),
    role: 'app',
    onProgress: () => undefined,
    onDefect: (error) => must(false, String(error)),
  });
  const source = join(folder, 'a.mp3');
  await copyFile(sample, source);
  const { ids } = await queue.submitJobs.add(
    [source],
    {
      connection: { id: connection.id, name: 'Studio', document: connection.document },
      voice: { id: 'v', name: 'V', language: 'en', gender: 'male', category: 'c' },
      nameTemplate: '{name}',
      settings: { ...defaultSettings.conversion, voiceId: 'v' },
      outputFolder: folder,
    },
    new AbortController().signal,
  );
  queue.scheduler.start();
  const [job] = await settled(queue.store, ids);
  must(job?.state === 'uncertain', `a lost reply with ${length} characters is ${job?.state ?? ''}`);
  const inFiles = length === 1 ? [] : await filesWith(join(folder, 'data'), [token]);
  must(inFiles.length === 0, `the token of ${length} characters is in ${inFiles.join(', ')}`);
  await queue.stop();
  await http.close();
  await service.stop();
}

async function command(context: ScenarioContext, length: number): Promise<void> {
  const token = tokenOf(length, context);
  const folder = join(context.folder, `command-${length}`);
  await mkdir(folder);
  const service = await startScriptedService((_, response) =>
    replyJson(response, { error: `No ${token}.`, details: encodeURIComponent(token) }, 401),
  );
  const { hosts } = service.connection().document;
  const file = join(folder, 'connection.json');
  const authorization = length > longestHeader ? '' : 'Bearer {token}';
  await writeFile(file, JSON.stringify({ name: 'Studio', hosts, authorization }));
  for (const form of [[], ['--json']]) {
    const child = context.fork(
      commandLine,
      [
        'convert',
        sample,
        '--voice',
        'v',
        '--connection',
        file,
        '--data-dir',
        join(folder, 'data'),
        '--out',
        folder,
        ...form,
      ],
      { execArgv: [], stdio: ['ignore', 'pipe', 'pipe', 'ipc'], env: { ...process.env, TIMBRE_TOKEN: token } },
    );
    const said: Buffer[] = [];
    for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk: Buffer) => said.push(chunk));
    await once(child, 'close');
    mustHoldNone('a command', Buffer.concat(said).toString(), token);
    must(said.length > 0, 'a command said nothing');
  }
  must(
    length === 1 || (await filesWith(join(folder, 'data'), [token])).length === 0,
    'the token is in the data folder',
  );
  await service.stop();
}

export const scenario: Scenario = {
  id: 'S14',
  title: 'a token of any length is redacted in everything that is printed, stored or shown',
  async run(context) {
    let said = 0;
    for (const length of lengths) {
      context.note(`replies ${length}`);
      said += await replies(context, length);
    }
    const paid = context.full ? lengths : [1, 1100, 16_384, 65_536];
    for (const length of paid) {
      context.note(`lost ${length}`);
      await lostReply(context, length);
    }
    const commands = context.full ? lengths : [1100, 65_536];
    for (const length of commands) {
      context.note(`command ${length}`);
      await command(context, length);
    }
    for (const bad of ['', 'a\nb', 'a\r\nb', 'a\0', 'é', '😀', 'x'.repeat(65_537)]) {
      must(!isToken(bad), `a token that cannot be sent is taken: ${JSON.stringify(bad.slice(0, 9))}`);
    }
    return {
      tokens: lengths.length,
      'replies read': said,
      'lost replies': paid.length,
      commands: 2 * commands.length,
      hits: 0,
    };
  },
};

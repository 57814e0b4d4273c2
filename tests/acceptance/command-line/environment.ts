// Rows C6, C7, C9 to C12 and S15: how a command ends, and what it takes and shows of its surroundings.
import { once } from 'node:events';
import { execFileSync } from 'node:child_process';
import { mkdir, open, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { columnsOf } from '../../../src/cli/output.ts';
import { replyJson } from '../../../src/main/core/voice-service/scripted-service.fixture.ts';
import { must, type Scenario, type ScenarioContext } from '../support/scenario.ts';
import {
  commandLine,
  eachOf,
  hasTrace,
  leftOf,
  runLine,
  sample,
  sentencesOf,
  startVoices,
  storeSettings,
  type RanLine,
} from '../support/command-line/run-line.ts';

const startedMs = 1500;
const startup = () => new Promise((resolve) => setTimeout(resolve, startedMs));
const saysWhy = /Press Ctrl-C again/;

export const c6: Scenario = {
  id: 'C6',
  title: 'Ctrl-C ends a command within 2 s or says what it waits for, SIGTERM within 5 s; no process is left',
  alone: true,
  async run(context) {
    const hung = await startVoices(context, 0, () => undefined);
    const voices = [{ id: 'v0', name: 'V', language: 'en-GB', gender: 'male', category: 'c' }];
    const stuck = await startVoices(
      context,
      0,
      ({ url }, response) => {
        if (url.includes('pagevoices')) replyJson(response, { page: 0, limit: 100, total: 1, voices });
      },
      // SIGTERM waits for the answer to a paid call.
      { timeouts: { convertMs: 4000 } },
    );
    const fifo = join(context.folder, 'fifo');
    execFileSync('mkfifo', [fifo]);
    // A writer that writes nothing: without one the pipe would be empty, not waited for.
    const writer = await open(fifo, 'r+');
    await mkdir(join(context.folder, 'watched'));
    const points: readonly (readonly string[])[] = [
      ['speak', '--file', fifo, '--voice', 'low-bronze'],
      ['voices', 'list', '--connection', hung.file],
      ['watch', 'watched', '--voice', 'low-bronze'],
      ['speak', 'Hello', '--voice', 'v0', '--connection', stuck.file],
      ['convert', sample, '--voice', 'v0', '--connection', stuck.file, '--out', 'out'],
      ['token', 'test', '--connection', hung.file],
      ['engine'],
      ['doctor', '--connection', hung.file],
      ['models', 'list', '--connection', hung.file],
      ['voices', 'show', 'x', '--connection', hung.file],
      ['history', 'import', fifo],
      ['speak', '-', '--voice', 'low-bronze'],
    ];
    const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
    const all = points.flatMap((args) => signals.map((name) => ({ args, name })));
    const cases = context.full ? all : all.filter((_, k) => k % 4 === 0 || k < 7);
    const wrong: string[] = [];
    let slowest = 0;
    await eachOf(cases, async ({ args, name }) => {
      let session = 0;
      const ran = await runLine(context, args, {
        input: null,
        env: { TIMBRE_DATA_DIR: join(context.folder, `data-${args[0] ?? ''}-${name}`) },
        signal: {
          name,
          when(child) {
            session = child.pid ?? 0;
            return startup();
          },
        },
      });
      slowest = Math.max(slowest, ran.ms);
      const isTold = saysWhy.test(ran.stderr);
      const what = `${args.slice(0, 3).join(' ')} at ${name}: ${Math.round(ran.ms)} ms`;
      if (ran.ms > (name === 'SIGINT' && !isTold ? 2000 : 5000)) wrong.push(what);
      if (hasTrace(ran)) wrong.push(`${what}, ${ran.stderr}`);
      const left = await leftOf(session);
      if (left.length > 0) wrong.push(`${what}, ${left.length} processes left`);
    });
    await writer.close();
    must(wrong.length === 0, wrong.join('; '));
    return { cases: cases.length, 'slowest ms': Math.round(slowest) };
  },
};

export const c7: Scenario = {
  id: 'C7',
  title: 'a full disk and damaged settings give one sentence, and columns are aligned in any script',
  async run(context) {
    const data = join(context.folder, 'small');
    await mkdir(data);
    const mount =
      'mount -t tmpfs -o size=64k tmpfs "$SMALL" && head -c 1000000 /dev/zero > "$SMALL/filler" 2>/dev/null; exec "$0" "$@"';
    const through = ['unshare', '-Urm', 'sh', '-c', mount, process.execPath, commandLine];
    const env = { TIMBRE_DATA_DIR: data, SMALL: data };
    const wrong: string[] = [];
    const lines = [
      ['history', 'list'],
      ['connections', 'list'],
      ['convert', sample, '--voice', 'low-bronze', '--out', 'out'],
      ['speak', 'Hello', '--voice', 'low-bronze'],
      ['watch', '.', '--voice', 'low-bronze', '--once'],
    ];
    await eachOf(lines, async (args) => {
      const ran = await runLine(context, args, { through, env });
      if (ran.code !== 1 || hasTrace(ran) || sentencesOf(ran).length > 2) {
        wrong.push(`full: ${args.join(' ')}: exit ${ran.code ?? 'by signal'}, "${ran.stderr}"`);
      }
    });
    for (const settings of ['{ "theme": oops', '[]', 'null', '{"proxy":7,"conversion":[]}']) {
      await storeSettings(context, settings, 'damaged');
      const ran = await runLine(context, ['voices', '--limit', '1', '-q'], {
        env: { TIMBRE_DATA_DIR: join(context.folder, 'damaged') },
      });
      // What is no object was damaged, and the user is told that nothing is sent.
      const said = settings.startsWith('{"proxy"') ? 0 : 1;
      if (ran.code !== 0 || hasTrace(ran) || sentencesOf(ran).length !== said) {
        wrong.push(`settings ${settings}: exit ${ran.code ?? 'by signal'}, "${ran.stderr}"`);
      }
    }
    const ids = ['東京の朝', 'plain', '👩‍👩‍👧 family', 'Grüße', 'ｱｲｳ'];
    const { file } = await startVoices(context, 0, (_request, response) => {
      const voices = ids.map((id) => ({ id, name: '|', language: 'en-GB', gender: 'male', category: 'c' }));
      replyJson(response, { page: 0, limit: 100, total: voices.length, voices });
    });
    const { stdout } = await runLine(context, ['voices', '--connection', file]);
    const columns = new Set(
      stdout
        .trim()
        .split('\n')
        .map((line) => columnsOf(line.slice(0, line.indexOf('|')))),
    );
    if (columns.size !== 1) wrong.push(`columns: ${[...columns].join(', ')}`);
    must(wrong.length === 0, wrong.join('; '));
    return { 'full disks': lines.length, 'damaged settings': 4, columns: columns.size };
  },
};

export const c9: Scenario = {
  id: 'C9',
  title: 'a command uses the language of Settings, else of the environment, else of the system',
  async run(context) {
    const cases: readonly (readonly [
      settings: unknown,
      env: Readonly<Record<string, string | undefined>>,
      says: RegExp,
    ])[] = [
      [{ language: 'de' }, { LANG: 'en_GB.UTF-8' }, /Den Befehl/],
      [{ language: 'en' }, { LC_ALL: 'de_DE.UTF-8' }, /There is no command/],
      [{ language: 'system' }, { LC_ALL: 'de_DE.UTF-8' }, /Den Befehl/],
      [{}, { LANG: 'de_AT' }, /Den Befehl/],
      [{}, { LC_MESSAGES: 'de', LANG: 'en_GB' }, /Den Befehl/],
      [{}, { LANG: 'C.UTF-8' }, /There is no command/],
      [{}, { LANG: 'tlh_QX' }, /There is no command/],
      [{ language: 'klingon' }, { LANG: 'de_DE' }, /Den Befehl/],
      [{}, { LANG: undefined }, /There is no command|Den Befehl/],
    ];
    const wrong: string[] = [];
    for (const [k, [settings, env, says]] of cases.entries()) {
      await storeSettings(context, settings, `data-${k}`);
      const ran = await runLine(context, ['frobnicate'], {
        env: { ...env, TIMBRE_DATA_DIR: join(context.folder, `data-${k}`) },
      });
      if (!says.test(ran.stderr)) wrong.push(`${JSON.stringify([settings, env])}: ${ran.stderr}`);
    }
    must(wrong.length === 0, wrong.join('; '));
    return { cases: cases.length };
  },
};

export const c10: Scenario = {
  id: 'C10',
  title:
    'lists of voices and models say how much they show; without the service the cached list is shown with its date',
  async run(context) {
    const wrong: string[] = [];
    for (const count of [0, 99, 100, 101, 250]) {
      const { service, file } = await startVoices(context, count);
      const pages = Math.max(1, Math.ceil(count / 100));
      for (const what of ['voices', 'models']) {
        for (const page of context.full ? Array.from({ length: pages }, (_, k) => k + 1) : [1, pages]) {
          const ran = await runLine(context, [what, 'list', '--page', String(page), '--connection', file]);
          const shown = Math.min(100, count - (page - 1) * 100);
          const foot =
            count === 0
              ? ''
              : `Page ${page} of ${pages}: ${shown} of ${count}.${page < pages ? ` Use --page ${page + 1} to show more.` : ''}\n`;
          const lines = ran.stdout.trim().split('\n').length;
          if (ran.code !== 0 || ran.stderr !== foot || lines !== Math.max(1, shown)) {
            wrong.push(`${what} ${page} of ${count}: ${lines} lines, "${ran.stderr}"`);
          }
        }
      }
      await service.stop();
      if (count !== 99) continue;
      const copy = await runLine(context, ['voices', '--connection', file]);
      if (
        copy.code !== 0 ||
        copy.stdout.split('\n').length !== 100 ||
        !/This is the saved list from .*20\d\d/.test(copy.stderr)
      ) {
        wrong.push(`the copy: exit ${copy.code ?? 'by signal'}, "${copy.stderr}"`);
      }
      const none = await runLine(context, ['models', '--connection', file]);
      if (none.code !== 6) wrong.push(`models without a service: exit ${none.code ?? 'by signal'}`);
    }
    must(wrong.length === 0, wrong.join('; '));
    return { sizes: 5, wrong: 0 };
  },
};

/** A proxy that records the requested hosts and connects to none. */
async function startProxy(context: ScenarioContext) {
  const asked: string[] = [];
  const server = createServer();
  server.on('connect', ({ url }, socket) => {
    asked.push(url ?? '');
    socket.end('HTTP/1.1 502 Bad Gateway\r\n\r\n');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  context.onEnd(() => {
    server.close();
    server.closeAllConnections();
    return undefined;
  });
  return { asked, address: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

export const c11: Scenario = {
  id: 'C11',
  title:
    'the proxy of the environment, else of Settings, is used and named; a keyring is required only if it is needed',
  async run(context) {
    const [one, other] = [await startProxy(context), await startProxy(context)];
    const host = 'https://studio.example';
    const file = join(context.folder, 'far.json');
    await writeFile(file, JSON.stringify({ name: 'Far', hosts: { voice: host, upload: host } }));
    const wrong: string[] = [];
    const cases = [
      { what: 'settings', settings: { proxy: one.address }, env: {}, used: one },
      { what: 'environment', settings: {}, env: { HTTPS_PROXY: other.address }, used: other },
      { what: 'both', settings: { proxy: one.address }, env: { HTTPS_PROXY: other.address }, used: other },
    ];
    for (const { what, settings, env, used } of cases) {
      await storeSettings(context, settings, what);
      const surroundings = { ...env, TIMBRE_DATA_DIR: join(context.folder, what) };
      const before = [one.asked.length, other.asked.length];
      const ran = await runLine(context, ['voices', '--connection', file], { env: surroundings });
      if (ran.code !== 6 || hasTrace(ran)) wrong.push(`${what}: exit ${ran.code ?? 'by signal'}, ${ran.stderr}`);
      const unused = used === one ? other : one;
      if (used.asked.at(-1) !== 'studio.example:443') wrong.push(`${what}: not asked`);
      if (unused.asked.length !== before[unused === one ? 0 : 1]) wrong.push(`${what}: the other was asked`);
      const convert = await runLine(
        context,
        ['convert', sample, '--voice', 'x', '--connection', file, '--out', 'out'],
        { env: surroundings },
      );
      if (convert.code !== 6) wrong.push(`${what}: convert exits ${convert.code ?? 'by signal'}, ${convert.stderr}`);
      const { stdout, code } = await runLine(context, ['doctor'], { env: surroundings });
      if (!stdout.includes(used.address)) wrong.push(`${what}: not named by doctor`);
      if (code !== 0) wrong.push(`${what}: doctor without a keyring exits ${code ?? 'by signal'}: ${stdout}`);
    }
    must(wrong.length === 0, wrong.join('; '));
    return { cases: cases.length, asked: one.asked.length + other.asked.length };
  },
};

export const c12: Scenario = {
  id: 'C12',
  title: 'the data folder is one absolute folder in every environment, or the reason is given',
  async run(context) {
    const home = join(context.folder, 'home');
    await mkdir(home);
    const at = (path: string) => join(context.folder, path);
    const none = { TIMBRE_DATA_DIR: undefined, XDG_CONFIG_HOME: undefined, HOME: home };
    const cases: readonly (readonly [
      what: string,
      env: Readonly<Record<string, string | undefined>>,
      folder: string | null,
    ])[] = [
      ['the home', none, join(home, '.config/Timbre')],
      ['XDG', { ...none, XDG_CONFIG_HOME: at('xdg') }, at('xdg/Timbre')],
      ['XDG empty', { ...none, XDG_CONFIG_HOME: '' }, join(home, '.config/Timbre')],
      ['XDG relative', { ...none, XDG_CONFIG_HOME: 'config' }, join(home, '.config/Timbre')],
      ['relative', { ...none, TIMBRE_DATA_DIR: 'here/data' }, at('here/data')],
      ['absolute', { ...none, TIMBRE_DATA_DIR: at('there') }, at('there')],
      ['that cannot be made', { ...none, TIMBRE_DATA_DIR: '/proc/x' }, null],
      ['below a file', { ...none, TIMBRE_DATA_DIR: `${sample}/x` }, null],
    ];
    const wrong: string[] = [];
    await eachOf(cases, async ([what, env, folder]) => {
      const ran = await runLine(context, ['history', 'list'], { env });
      if (folder === null) {
        const isSaid = ran.code === 1 && sentencesOf(ran).length === 1 && !hasTrace(ran);
        if (!isSaid) wrong.push(`${what}: exit ${ran.code ?? 'by signal'}, ${ran.stderr}`);
        return;
      }
      const doctor = await runLine(context, ['doctor'], { env });
      if (ran.code !== 0 || !doctor.stdout.includes(`${folder} is writable.`))
        wrong.push(`${what}: ${ran.stderr}${doctor.stdout}`);
    });
    const relative = await runLine(context, ['doctor', '--data-dir', 'flag/data'], { env: none });
    if (!relative.stdout.includes(`${at('flag/data')} is writable.`)) wrong.push(`--data-dir: ${relative.stdout}`);
    must(wrong.length === 0, wrong.join('; '));
    return { cases: cases.length + 1 };
  },
};

const acting = [
  ...[0x00, 0x01, 0x07, 0x08, 0x0b, 0x0c, 0x0d, 0x1b, 0x7f, 0x80, 0x84, 0x85, 0x90, 0x9b, 0x9c, 0x9d, 0x9f],
  ...[0x061c, 0x200e, 0x200f, 0x202a, 0x202e, 0x2066, 0x2069, 0x2028],
].map((code) => String.fromCharCode(code));
// eslint-disable-next-line no-control-regex -- these are meant
const reached = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/;

const texts: readonly string[] = [
  ...acting.map((sign) => `a${sign}b`),
  '\u001b]0;title\u0007',
  '\u001b[2J\u001b[H',
  '\u009b31m',
  'one\ntwo',
  '\u202egnp.exe',
];

export const s15: Scenario = {
  id: 'S15',
  title: 'text of a service, a document or a file name is printed without control sequences',
  async run(context) {
    let hits = 0;
    let seen = 0;
    const found: string[] = [];
    const check = (args: readonly string[], ran: RanLine) => {
      seen += 1;
      if (reached.test(ran.stdout + ran.stderr) || hasTrace(ran)) {
        hits += 1;
        found.push(args.slice(0, 3).join(' '));
      }
    };
    const some = context.full
      ? texts.map((text) => [text])
      : [texts.filter((text) => !text.includes('\u0000') || text.length < 9)];
    for (const [k, group] of some.entries()) {
      const text = group.join('');
      const { file } = await startVoices(context, 0, ({ url, method }, response) => {
        const voice = { id: 'v0', name: text, language: text, gender: 'male', category: text };
        if (url.includes('pagevoices')) replyJson(response, { page: 0, limit: 100, total: 1, voices: [voice] });
        else if (url.includes('getvoicedetail')) replyJson(response, { ...voice, voiceId: 'v0', description: text });
        else if (method === 'DELETE') replyJson(response, { status: 'success', message: text, modelName: text });
        else if (url.includes('models/list')) {
          const models = [{ modelId: 'm', name: text, languageCode: text, gender: text, creationDate: text }];
          replyJson(response, {
            status: 'success',
            models,
            pagination: { currentPage: 1, totalPages: 1, totalItems: 1 },
          });
        } else if (url.endsWith('/plants')) replyJson(response, { name: text, tag: text });
        else replyJson(response, { error: text, details: text }, 400);
      });
      const named = join(context.folder, `named-${k}.json`);
      await writeFile(
        named,
        JSON.stringify({ name: `Studio ${text.replaceAll('\u0000', '')}`, hosts: { voice: 'x', upload: 'y' } }),
      );
      const typed = text.replaceAll('\u0000', '').replaceAll('/', '');
      const lines = [
        ['voices', 'list', '--connection', file],
        ['voices', 'show', 'v0', '--connection', file],
        ['models', 'list', '--connection', file],
        ['models', 'delete', 'x', '--yes', '--connection', file],
        ['plant', 'create', '--id', '1', '--name', 'x', '--connection', file],
        ['speak', 'Hello', '--voice', 'v0', '--connection', file],
        ['convert', sample, '--voice', 'v0', '--out', 'out', '--connection', file],
        ['history', 'list'],
        ['convert', typed, '--voice', 'v0', '--connection', file],
        ['connections', 'import', named],
        ['watch', typed, '--voice', 'v0'],
        [typed],
      ];
      const data = { TIMBRE_DATA_DIR: join(context.folder, `data-${k}`) };
      for (const args of lines) {
        context.note(args.slice(0, 2).join(' '));
        for (const way of [[], ['--json']]) check(args, await runLine(context, [...args, ...way], { env: data }));
      }
    }
    must(hits === 0, `${hits} of ${seen}: ${[...new Set(found)].join(', ')}`);
    return { texts: texts.length, runs: seen, hits };
  },
};

// Rows C1 to C5 and C8: how a command line is parsed, what is printed, and what is rejected before anything is sent.
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { loadCliMessages } from '../../../src/shared/messages/cli.ts';
import { columnsOf } from '../../../src/cli/output.ts';
import { commandNames, entryOf, globalFlags, flagsOf, typedFlag } from '../../../src/cli/command-table.ts';
import { parseLine, scanLine } from '../../../src/cli/args.ts';
import { must, type Scenario, type ScenarioContext } from '../support/scenario.ts';
import {
  commandLine,
  eachOf,
  hasTrace,
  launcher,
  runLine,
  sample,
  sentencesOf,
  startVoices,
  type RanLine,
} from '../support/command-line/run-line.ts';

const [de, en] = await Promise.all([loadCliMessages('de'), loadCliMessages('en')]);

type Form = readonly [args: readonly string[], code: number, says: RegExp];

const version = /^timbre \d+\.\d+\.\d+\n$/;
const allCommands = /^Timbre changes[\s\S]*timbre convert[\s\S]*timbre doctor/;
const ofConvert = /Usage:\n {2}timbre convert FILE\|DIR\.\.\.[\s\S]*--pitch N[\s\S]*Exit codes/;
const voiceLine = /^low-bronze +Low bronze, /;
const voiceList = /"event":"result","page":1/;

const forms: readonly Form[] = [
  [['--version'], 0, version],
  [['-v'], 0, version],
  [['version'], 0, version],
  [['voices', '--version'], 0, version],
  [['--json', '--version'], 0, /"version":"\d/],
  [['--help'], 0, allCommands],
  [['-h'], 0, allCommands],
  [['help'], 0, allCommands],
  [['help', 'convert'], 0, ofConvert],
  [['convert', '--help'], 0, ofConvert],
  [['--help', 'convert'], 0, ofConvert],
  [['convert', '-h', '--pitch', '99'], 0, ofConvert],
  [['voices', 'list', '--limit', '1'], 0, voiceLine],
  [['voices', '--limit', '1'], 0, voiceLine],
  [['--limit', '1', 'voices', 'list'], 0, voiceLine],
  [['--json', 'voices', 'list', '--limit', '1'], 0, voiceList],
  [['voices', '--json', 'list', '--limit=1'], 0, voiceList],
  [['-q', 'voices', 'list', '--limit', '1'], 0, voiceLine],
  [['--json'], 2, /"code":"request\/invalid"/],
  [['frobnicate'], 2, /There is no command "frobnicate"/],
];

export const c1: Scenario = {
  id: 'C1',
  title:
    'version, help and flags before and after a command are parsed in every form; only an empty line opens a window',
  async run(context) {
    const wrong: string[] = [];
    const check = (how: string, [args, code, says]: Form, ran: RanLine) => {
      if (ran.code !== code || !says.test(ran.stdout + ran.stderr)) {
        wrong.push(
          `${how} ${args.join(' ')}: exit ${ran.code ?? 'by signal'}, "${(ran.stdout + ran.stderr).slice(0, 80)}"`,
        );
      }
    };
    await eachOf(forms, async (form) => check('built', form, await runLine(context, form[0])));
    const through = [launcher];
    const some = context.full ? forms : forms.filter((_, k) => [0, 1, 7, 15].includes(k));
    for (const form of some) check('launcher', form, await runLine(context, form[0], { through }));
    // What would be the window says so in its place.
    const window = join(context.folder, 'window');
    await writeFile(window, '#!/bin/sh\necho window\n', { mode: 0o755 });
    const env = { TIMBRE_ELECTRON: window, DISPLAY: ':0' };
    const opened = await runLine(context, [], { through, env });
    must(opened.stdout.includes('window'), `no word opened no window: ${opened.stdout}${opened.stderr}`);
    const unopened = await runLine(context, ['--version'], { through, env });
    must(!unopened.stdout.includes('window'), '--version opened the window');
    must(wrong.length === 0, wrong.join('; '));
    return { forms: forms.length, 'through the launcher': some.length + 2, wrong: wrong.length };
  },
};

export const c2: Scenario = {
  id: 'C2',
  title:
    'the help of every command names each option, the exit codes and the environment, as do man page and completion',
  async run(context) {
    const wrong: string[] = [];
    let options = 0;
    for (const [{ language, cli }, LANG] of [
      [en, 'en_GB.UTF-8'],
      [de, 'de_DE.UTF-8'],
    ] as const) {
      await eachOf(commandNames, async (name) => {
        const forms =
          language === 'en' || context.full
            ? [
                ['help', name],
                [name, '--help'],
              ]
            : [['help', name]];
        for (const args of forms) {
          const { code, stdout } = await runLine(context, args, { env: { LANG } });
          if (code !== 0) wrong.push(`${args.join(' ')}: exit ${code ?? 'by signal'}`);
          for (const flag of [...flagsOf(entryOf(name)), ...globalFlags]) {
            options += 1;
            if (!stdout.includes(typedFlag(flag))) wrong.push(`${args.join(' ')} without ${flag.name}`);
          }
          const named = [...Object.keys(cli.environment), ...Object.values(cli.exits).map((text) => text.slice(0, 12))];
          for (const word of named) if (!stdout.includes(word)) wrong.push(`${args.join(' ')} without ${word}`);
          const wide = stdout.split('\n').find((line) => columnsOf(line) > 100);
          if (wide !== undefined) wrong.push(`${args.join(' ')}: ${wide}`);
        }
      });
    }
    const man = await runLine(context, ['man']);
    const bash = await runLine(context, ['completion', 'bash']);
    for (const name of commandNames) {
      if (!man.stdout.includes(`.SS ${name}`)) wrong.push(`man page without ${name}`);
      for (const flag of flagsOf(entryOf(name))) {
        if (!man.stdout.includes(flag.name.replaceAll('-', '\\-'))) wrong.push(`man page without ${flag.name}`);
        if (!bash.stdout.includes(flag.name)) wrong.push(`completion without ${flag.name}`);
      }
    }
    const script = join(context.folder, 'completion.bash');
    await writeFile(script, bash.stdout);
    const complete = async (...words: readonly string[]) => {
      const list = words.map((word) => `'${word}'`).join(' ');
      const code = `source ${script}; COMP_WORDS=(timbre ${list}); COMP_CWORD=${words.length}; _timbre; echo "\${COMPREPLY[@]}"`;
      return (await runLine(context, [code], { through: ['bash', '-c'] })).stdout.trim();
    };
    for (const [typed, completed] of [
      [['con'], 'convert connections'],
      [['voices', 's'], 'show'],
      [['convert', '--form'], '--format'],
      [['convert', '--format', 'm'], 'mp3'],
      [['history', 'export', '--se'], '--search'],
    ] as const) {
      const found = await complete(...typed);
      if (found !== completed) wrong.push(`${typed.join(' ')} is completed to "${found}"`);
    }
    must(wrong.length === 0, wrong.join('; '));
    return { commands: commandNames.length, options, wrong: 0 };
  },
};

const voiced = [sample, '--voice', 'v0'];

const wrongValues: readonly (readonly string[])[] = [
  ...['0', '-1', '99', 'abc', '0,5', '1e3', 'NaN', '4.1'].flatMap((value) => [
    ['convert', ...voiced, '--pitch', value],
    ['convert', ...voiced, '--speed', value],
    ['speak', 'Hello', '--voice', 'v0', '--speed', value],
  ]),
  // A voice may list other formats than ours; no format has a space.
  ['convert', ...voiced, '--format', 'a iff'],
  ['convert', ...voiced, '--format', ''],
  ['convert', ...voiced, '--engine', 'v6'],
  ['convert', ...voiced, '--voice', ''],
  ['convert', ...voiced, '--out', ''],
  ['convert', ...voiced, '--out', '-'],
  ['convert', '', '--voice', 'v0'],
  ['history', 'show', ''],
  ['convert', ...voiced, '--out', '/proc/x'],
  ['convert', ...voiced, '--out', '/proc/x/y/z'],
  ['convert', ...voiced, '--out', '/dev/null'],
  ['convert', ...voiced, '--out', `${sample}/below`],
  ['convert', ...voiced, '--out'],
  ['convert', ...voiced, '--pitch'],
  ['convert', ...voiced, '--json=1'],
  ['convert', ...voiced, '--no-pitch'],
  ['convert', ...voiced, '--again=1'],
  ['convert', sample],
  ['convert', '--voice', 'v0'],
  ['watch', '.', '--voice', 'v0', '--pitch', '99'],
  ['watch', '.', '--voice', 'v0', '--minutes-a-day', '0'],
  ['watch', '.', '--voice', 'v0', '--minutes-a-day', '0.5'],
  ['watch', '.', '--voice', 'v0', '--minutes-a-day', '100001'],
  ['watch', '.', '--voice', 'v0', '--out', '/proc/x'],
  ['watch', '.', '.', '--voice', 'v0'],
  ['watch', sample, '--voice', 'v0'],
  ['speak', 'Hello', '--voice', 'v0', '--pitch', '99'],
  ['speak', 'Hello', '--voice', 'v0', '--sentence-pause', '10.1'],
  ['speak', 'Hello', '--voice', 'v0', '--paragraph-pause', '-1'],
  ['speak', 'Hello', '--voice', 'v0', '--engine', 'v2'],
  ['speak', 'Hello', '--voice', 'v0', '--platform', 'toaster'],
  ['speak', 'Hello', '--voice', 'v0', '--out', '/proc/x/y.wav'],
  ['speak', 'Hello', '--voice', 'v0', '--out', './'],
  ['speak', 'Hello', '--voice', 'v0', '--out', '/dev/null'],
  ['speak', 'Hello', '--voice', 'v0', '--out', '{voice}.wav'],
  ['speak', 'Anna: Hello', '--voice', 'v0', '--speaker', 'Anna'],
  ['speak', 'Anna: Hello', '--voice', 'v0', '--speaker', 'A:B=v0'],
  ['speak', 'Anna: Hello', '--voice', 'v0', '--speaker', 'Anna=v0', '--speaker', 'ANNA=v0'],
  ['speak', 'Anna: Hello', '--voice', 'v0', '--speaker', 'Ben=v0'],
  ['speak', 'one', 'two', '--voice', 'v0'],
  ['speak', 'Hello', '--voice', 'v0', '--file', 'x.txt'],
  ['speak', '', '--voice', 'v0'],
  ['speak', 'Hello', '--voice', 'v0', '--language', 'x'.repeat(65)],
  ['convert', ...voiced, '--pitch-control', 'x'.repeat(257)],
  ['convert', ...voiced, '--audio-name', 'x'.repeat(257)],
  ['convert', ...voiced, '--platform', 'x'.repeat(257)],
  ['convert', sample, '--voice', 'x'.repeat(1025)],
  ['voices', 'list', '--limit', '0'],
  ['voices', 'list', '--limit', '101'],
  ['voices', 'list', '--page', '0'],
  ['voices', 'list', '--gender', 'none'],
  ['voices', 'show'],
  ['models', 'list', '--page', '0'],
  ['models', 'delete', '..', '--yes'],
  ['models', 'delete', 'x'],
  ['history', 'list', '--limit', '-3'],
  ['history', 'list', '--search', 'x'],
  ['plant', 'create', '--id', '9223372036854775808', '--name', 'x'],
  ['plant', 'create', '--id', '1', '--name', ''],
  ['engine', '--port', '65536'],
  ['token', 'set', 'secret'],
];

const entriesOf = async (context: ScenarioContext): Promise<unknown> =>
  (await runLine(context, ['history', 'list', '--json'])).last['entries'];

export const c3: Scenario = {
  id: 'C3',
  title: 'a wrong value is rejected in one sentence before anything is sent',
  async run(context) {
    const { service, file } = await startVoices(context, 3);
    const cases = context.full ? wrongValues : wrongValues.filter((_, k) => k % 3 === 0 || k > 24);
    const wrong: string[] = [];
    await eachOf(cases, async (args) => {
      const ran = await runLine(context, [...args, '--connection', file]);
      const isRight = (ran.code === 2 || ran.code === 5) && sentencesOf(ran).length === 1 && ran.stdout === '';
      if (!isRight) wrong.push(`${args.join(' ')}: exit ${ran.code ?? 'by signal'}, "${ran.stderr}${ran.stdout}"`);
    });
    const calls = service.requests.length;
    for (const format of ['mp3', '.mp3', 'MP3']) {
      const { code } = await runLine(context, [
        'convert',
        ...voiced,
        '--format',
        format,
        '--dry-run',
        '--connection',
        file,
      ]);
      must(code === 0, `--format ${format}: exit ${code ?? 'by signal'}`);
    }
    must(wrong.length === 0, wrong.join('; '));
    must(calls === 0, `${calls} calls`);
    must((await entriesOf(context)) === 0, 'history has an entry');
    return { values: cases.length, calls, entries: 0 };
  },
};

const missing: readonly (readonly [args: readonly string[], typed: string])[] = [
  [['convert', 'nosuch.wav', '--voice', 'v0'], 'nosuch.wav'],
  [['convert', sample, 'nosuch.wav', '--voice', 'v0'], 'nosuch.wav'],
  [['convert', 'no/such/folder', '--voice', 'v0'], 'no/such/folder'],
  [['convert', 'nosuch.wav', '--voice', 'v0', '--dry-run'], 'nosuch.wav'],
  [['convert', sample, '--voice', 'nobody', '--out', 'out'], 'nobody'],
  [['convert', sample, '--voice', 'nobody', '--dry-run'], 'nobody'],
  [['speak', 'Hello', '--voice', 'nobody'], 'nobody'],
  [['speak', '--file', 'nosuch.txt', '--voice', 'v0'], 'nosuch.txt'],
  [['watch', 'nosuch', '--voice', 'v0', '--once'], 'nosuch'],
  [['watch', 'nosuch', '--voice', 'v0', '--dry-run'], 'nosuch'],
  [['watch', '.', '--voice', 'nobody', '--once'], 'nobody'],
  [['watch', '.', '--voice', 'nobody', '--dry-run'], 'nobody'],
  [['watch', '.', '--voice', 'v0', '--speaker', 'Anna=nobody', '--dry-run'], 'nobody'],
  [['voices', 'show', 'nobody'], 'nobody'],
  [['models', 'delete', 'nobody', '--yes'], 'nobody'],
  [['history', 'show', 'abcdef'], 'abcdef'],
  [['history', 'again', 'abcdef'], 'abcdef'],
  [['history', 'import', 'nosuch.jsonl'], 'nosuch.jsonl'],
  [['history', 'import', '/'], '/: '],
];
const unknown: readonly (readonly [args: readonly string[], typed: string])[] = [
  [['connections', 'show', 'Nowhere'], 'Nowhere'],
  [['connections', 'import', 'nosuch.json'], 'nosuch.json'],
  [['voices', '--connection', 'nosuch.json'], 'nosuch.json'],
  [['voices', '--connection', 'Nowhere'], 'Nowhere'],
  [['token', 'test', '--connection', 'Nowhere'], 'Nowhere'],
];

export const c4: Scenario = {
  id: 'C4',
  title: 'a missing file, voice or connection is named as typed, and leaves no entry in history',
  async run(context) {
    const { file } = await startVoices(context, 3);
    const wrong: string[] = [];
    const check = async (args: readonly string[], typed: string, codes: readonly number[]) => {
      const ran = await runLine(context, args);
      const isRight = codes.includes(ran.code ?? -1) && ran.stderr.includes(typed) && sentencesOf(ran).length <= 2;
      if (!isRight || hasTrace(ran)) wrong.push(`${args.join(' ')}: exit ${ran.code ?? 'by signal'}, "${ran.stderr}"`);
    };
    await eachOf(missing, ([args, typed]) => check([...args, '--connection', file], typed, [5]));
    // A connection is part of how a command is written.
    await eachOf(unknown, ([args, typed]) => check(args, typed, [2]));
    must(wrong.length === 0, wrong.join('; '));
    must((await entriesOf(context)) === 0, 'history has an entry');
    return { cases: missing.length + unknown.length, entries: 0 };
  },
};

export const c5: Scenario = {
  id: 'C5',
  title: 'a reader that closes its pipe, and closed streams, end every command quietly',
  async run(context) {
    await mkdir(join(context.folder, 'empty'));
    const lines = [
      'help',
      'help convert',
      'man',
      'completion bash',
      'version',
      'voices list',
      'voices show low-bronze',
      'models list',
      'history list',
      'connections list',
      'connections show "This computer"',
      'doctor',
      `convert ${sample} --voice low-bronze --dry-run`,
      'speak Hello --voice low-bronze --out hello.wav',
      'watch empty --voice low-bronze --once',
      'token test --connection "This computer"',
      'plant create --id 1 --name fern',
      'engine --port 0',
    ];
    const wrong: string[] = [];
    const run = `"${process.execPath}" "${commandLine}"`;
    let cases = 0;
    await eachOf(context.full ? lines : lines.filter((_, k) => k % 2 === 1 || k < 6), async (line) => {
      // The engine runs until it is stopped: its reader goes before it says anything more.
      const ends = line.startsWith('engine') ? [] : [`${run} ${line} >&-`, `${run} ${line} 2>&-`];
      for (const code of [`${run} ${line} | head -1 >/dev/null; exit \${PIPESTATUS[0]}`, ...ends]) {
        if (line.startsWith('engine') && !context.full) continue;
        cases += 1;
        const ran = await runLine(context, [line.startsWith('engine') ? `timeout 5 ${code}` : code], {
          through: ['bash', '-c'],
        });
        const isFine = ran.code === 0 || ran.code === 141 || line.startsWith('engine');
        if (!isFine || hasTrace(ran))
          wrong.push(`${code.slice(run.length)}: exit ${ran.code ?? 'by signal'} ${ran.stderr.slice(0, 200)}`);
      }
    });
    must(wrong.length === 0, wrong.join('; '));
    return { cases, wrong: 0 };
  },
};

const typos: readonly (readonly [typed: string, meant: string])[] = [
  ['convrt x --voice y', 'convert'],
  ['covnert x --voice y', 'convert'],
  ['convert-file x', 'convert'],
  ['CONVERTT x', 'convert'],
  ['wacth .', 'watch'],
  ['wtch .', 'watch'],
  ['speek hi', 'speak'],
  ['spaek hi', 'speak'],
  ['histroy', 'history'],
  ['hist', 'history'],
  ['voice', 'voices'],
  ['vocies list', 'voices'],
  ['model list', 'models'],
  ['tokens', 'token'],
  ['connection list', 'connections'],
  ['conections', 'connections'],
  ['docter', 'doctor'],
  ['engin', 'engine'],
  ['compleet bash', 'completion'],
  ['voices lst', 'voices list'],
  ['voices shwo x', 'voices show'],
  ['history serach x', 'history search'],
  ['history exprot x', 'history export'],
  ['connections improt x', 'connections import'],
  ['convert x --vioce y', '--voice'],
  ['convert x --outt y', '--out'],
  ['convert x --fromat y', '--format'],
  ['convert x --dryrun', '--dry-run'],
  ['watch x --onec', '--once'],
  ['voices list --limt 3', '--limit'],
];

export const c8: Scenario = {
  id: 'C8',
  title: 'a typing error is answered with the probable intent',
  run() {
    const missed = typos.filter(([typed, meant]) => {
      try {
        parseLine(scanLine(typed.split(' ')), en);
        return true;
      } catch (error) {
        return !(error instanceof Error && new RegExp(`Did you mean "?(timbre )?${meant}"?\\?`).test(error.message));
      }
    });
    must(typos.length - missed.length >= 27, `not suggested: ${missed.map(([typed]) => typed).join(', ')}`);
    return Promise.resolve({ errors: typos.length, suggested: typos.length - missed.length });
  },
};

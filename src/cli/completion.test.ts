import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loadCliMessages } from '../shared/messages/cli.ts';
import { shells } from './command-table.ts';
import { completionOf } from './completion.ts';
import { shellQuote } from './shell-word.ts';

type Shell = (typeof shells)[number];

const messages = await loadCliMessages('en');
let folder = '';

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'timbre-completion-'));
  mkdirSync(join(folder, 'files', 'My folder'), { recursive: true });
  for (const name of ['My first talk.wav', 'My second talk.wav', "it's $5.wav", 'Größe.wav']) {
    writeFileSync(join(folder, 'files', name), '');
  }
  // zsh finds it by this name, when it is first needed.
  for (const shell of shells)
    writeFileSync(join(folder, `_timbre${shell === 'zsh' ? '' : `.${shell}`}`), completionOf(shell, messages));
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

function run(program: string, args: readonly string[], input = ''): string {
  const { error, stdout } = spawnSync(program, args, {
    cwd: join(folder, 'files'),
    env: { ...process.env, HOME: folder, LC_ALL: 'C.UTF-8', TERM: 'dumb' },
    input,
    encoding: 'utf8',
    // A word that is not completed can leave a shell in the middle of a line.
    timeout: 60_000,
  });
  if (error) throw error;
  return stdout;
}

/** Types lines into a shell in a terminal, which `script` of util-linux makes. Returns the last word that `timbre` is called with. */
function typeInto(program: string, lines: readonly string[]): string {
  const called = join(folder, 'called');
  rmSync(called, { force: true });
  const timbre = 'timbre() { printf %s "${@: -1}" >../called; }';
  run(
    'script',
    ['--quiet', '--command', program, '/dev/null'],
    [...lines.slice(0, -1), timbre, ...lines.slice(-1), 'exit', ''].join('\n'),
  );
  return readFileSync(called, 'utf8').replace(/\/$/, '');
}

/** What the last word of a line becomes in each shell, if Tab is pressed behind it. */
const complete: Readonly<Record<Shell, (line: string) => string>> = {
  bash: (line) => typeInto('bash --norc --noprofile -i', ['source ../_timbre.bash', `${line}\t`]),
  zsh: (line) =>
    typeInto('zsh -f -i', ['fpath=(.. $fpath); autoload -Uz compinit; compinit -u -d ../dump', `${line}\t`]),
  fish: (line) => {
    const offered = run('fish', ['-N', '-c', `source ../_timbre.fish; complete -C ${shellQuote(line)}`]);
    return offered
      .split('\n')
      .map((each) => each.split(/\/?(\t|$)/)[0])
      .filter(Boolean)
      .join(' | ');
  },
};

const has = (program: string): boolean => spawnSync(program, ['--version']).error === undefined;

describe.each(shells)('%s, where it is installed', (shell) => {
  it.skipIf(process.platform !== 'linux' || !has(shell)).each([
    ['timbre conv', 'convert'],
    ['timbre help conv', 'convert'],
    ['timbre completion zs', 'zsh'],
    ['timbre history export --se', '--search'],
    ['timbre convert --format w', 'wav'],
    ['timbre convert --format=w', '--format=wav'],
    ['timbre convert My\\ fi', 'My first talk.wav'],
    ['timbre convert "My s', 'My second talk.wav'],
    ['timbre convert it', "it's $5.wav"],
    ['timbre convert x.wav Gr', 'Größe.wav'],
    ['timbre convert --out My', 'My folder'],
    ['timbre watch My', 'My folder'],
    ['timbre speak My\\ fi', 'My first talk.wav'],
    ['timbre doctor --connection Gr', 'Größe.wav'],
  ])('completes the last word of %s', (line, word) => {
    expect(complete[shell](line)).toBe(word);
  });
});

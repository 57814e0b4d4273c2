import type { Facts } from '../errors.ts';
import { numberFact, type ProblemTextsOf, textFact } from './facts.ts';
import { formatFor } from './locale-format.ts';

const format = formatFor('en');

const results = (n: number) => format.count(n, { one: '# result', other: '# results' });

/** The program that runs after each result, in Settings and in the form of a watched folder. */
export const enHook = {
  title: 'After each result',
  lead: 'A program of yours, for example to upload or tag what was made. It runs without a shell, for one result at a time, and reads all about it as JSON on its standard input.',
  run: 'Run a program after each result',
  runHint: 'Also in watched folders and commands. If it fails, the result stays as it is.',
  program: 'Program',
  none: 'None chosen',
  choose: 'Choose…',
  change: 'Change…',
  args: 'Arguments',
  argsHint: 'One per line, passed on as it is.',
  argsError: (count: number, length: number) =>
    `Use at most ${format.number(count)} arguments of ${format.number(length)} characters, without tabs or other control characters.`,
  fields: 'Fields you can use in an argument',
  example: 'For example:',
  save: 'Use these arguments',
  undo: 'Discard changes',
  timeout: 'Time limit',
  timeoutHint: 'Then the program and all it started are ended.',
  timeoutError: (min: number, max: number) =>
    `Enter a whole number of seconds from ${format.number(min)} to ${format.number(max)}.`,
  status: 'Last run',
  waiting: (n: number) => `${results(n)} waiting for the program.`,
  neverRun: 'None since Timbre was opened',
  sample: 'the bundled sample',
  succeeded: (name: string, n: number) => `Succeeded for ${name} after ${format.fixed(n, 1)} s (exit code 0)`,
  ended: (name: string, n: number) => `Failed for ${name} after ${format.fixed(n, 1)} s`,
  output: 'What the program wrote',
  test: 'Try it',
  testHint: 'For your latest result, or a copy of the bundled sample.',
  repeat: (n: number) => `Run again for ${results(n)}`,
  /** In the system's dialog. */
  confirm: (program: string) => `Run ${program} with these arguments after each result?`,
  confirmUse: 'Use arguments',
  /** In the form of a watched folder. */
  folder: 'Run the program after each result',
  folderOff: 'Off in Settings, After each result.',
  /** In the details of a watched folder. */
  folderSkips: 'no program afterwards',
};

const nameIn = (facts: Facts): string => textFact(facts, 'name') ?? 'The program';

export const enHookProblems: ProblemTextsOf<'hook'> = {
  'hook/missing': (facts) => ({
    title: `${nameIn(facts)} wasn’t found`,
    advice: 'The result is fine. Put the program back, or choose another one in Settings.',
  }),
  'hook/not-allowed': (facts) => ({
    title: `${nameIn(facts)} may not be run`,
    advice: 'The result is fine. Make the file executable (chmod +x), or choose the program that runs it.',
  }),
  'hook/not-a-program': (facts) => ({
    title: `${nameIn(facts)} can’t run by itself`,
    advice:
      'The result is fine. Choose the program that runs such files, such as python, with the file as an argument.',
  }),
  'hook/batch-file': (facts) => ({
    title: `Windows runs ${nameIn(facts)} only through a shell`,
    advice:
      'There, names of files could become commands, so Timbre refuses .bat and .cmd files. Choose an .exe, such as powershell.exe or python.exe, with a script as an argument.',
  }),
  'hook/failed': (facts) => {
    const errno = textFact(facts, 'errno');
    if (errno !== undefined) {
      return {
        title: `The system couldn’t start ${nameIn(facts)} (${errno})`,
        advice: 'The result is fine. Run it again in Settings.',
      };
    }
    const exitCode = numberFact(facts, 'exitCode');
    const why = exitCode === undefined ? textFact(facts, 'signal') : `exit code ${exitCode}`;
    return {
      title: `${nameIn(facts)} failed${why === undefined ? '' : ` (${why})`}`,
      advice: 'The result is fine. The log has what the program wrote; run it again in Settings.',
    };
  },
  'hook/timeout': (facts) => ({
    title: `${nameIn(facts)} was ended after ${format.number(numberFact(facts, 'seconds') ?? 0)} s`,
    advice: 'The result is fine. Set a longer time limit in Settings, and run it again there.',
  }),
  'hook/interrupted': (facts) => ({
    title: `${nameIn(facts)} was interrupted twice`,
    advice: 'The result is fine. Run it again in Settings.',
  }),
};

import { type Facts } from '../errors.ts';
import { numberFact, type ProblemTextsOf, textFact } from './facts.ts';
import { formatFor } from './locale-format.ts';

const format = formatFor('en');
const { count } = format;

const results = (n: number) => count(n, { one: '# result', other: '# results' });
const seconds = (n: number) => count(n, { one: '# second', other: '# seconds' });

/** The program that runs after each result, in Settings and in the form of a watched folder. */
export const enHook = {
  title: 'After each result',
  lead: 'Timbre can run a program of yours, for example to upload or tag what was made. It is run directly, without a shell, one result at a time, and gets all about the result on its standard input.',
  run: 'Run a program after each result',
  runHint: 'Also for watched folders and commands. If the program fails, the result stays as it is.',
  chooseFirst: 'Choose a program first.',
  program: 'Program',
  none: 'None chosen',
  choose: 'Choose…',
  change: 'Change…',
  args: 'Arguments',
  argsHint: 'One argument per line. Spaces and quotes are passed on as they are.',
  fields: 'Fields you can use in an argument',
  insert: (field: string) => `Insert ${field}`,
  example: 'For example:',
  save: 'Use these arguments',
  undo: 'Discard changes',
  timeout: 'Time limit',
  timeoutHint: 'In seconds. After it, the program and all it started are ended.',
  timeoutError: (min: number, max: number) =>
    `Enter a whole number of seconds from ${format.number(min)} to ${format.number(max)}.`,
  status: 'Last run',
  waiting: (n: number) => `${results(n)} waiting for the program.`,
  neverRun: 'Not run since Timbre was opened',
  sample: 'the bundled sample',
  succeeded: (name: string, n: number) => `Succeeded for ${name} after ${format.fixed(n, 1)} s (exit code 0)`,
  ended: (name: string, n: number) => `Failed for ${name} after ${format.fixed(n, 1)} s`,
  output: 'What the program wrote',
  noOutput: 'The program wrote nothing.',
  test: 'Try it',
  testing: 'Running…',
  testHint: 'Runs it once for your latest result, or for a copy of the bundled sample if there is none.',
  repeat: (n: number) => `Run again for ${results(n)}`,
  failed: (n: number) => `The program failed for ${results(n)} in History.`,
  /** In the system's dialog. */
  confirm: (program: string) => `Run ${program} with these arguments after each result?`,
  confirmNone: 'It will get no arguments.',
  confirmUse: 'Use arguments',
  confirmCancel: 'Cancel',
  /** In the form of a watched folder. */
  folder: 'Run the program after each result',
  folderHint: (program: string) => `${program}, as chosen in Settings.`,
  folderOff: 'No program runs now: turn one on in Settings, After each result.',
  /** In the details of a watched folder. */
  folderSkips: 'no program afterwards',
};

const nameIn = (facts: Facts): string => textFact(facts, 'name') ?? 'The program';

export const enHookProblems: ProblemTextsOf<'hook'> = {
  'hook/missing': (facts) => ({
    title: `${nameIn(facts)} wasn’t found`,
    advice: 'The result is fine, but the program after it didn’t run. Put the program back or choose another one.',
  }),
  'hook/not-allowed': (facts) => ({
    title: `${nameIn(facts)} may not be run`,
    advice:
      'The result is fine, but the program after it didn’t run. Make the file executable (chmod +x), or choose the program that runs it.',
  }),
  'hook/not-a-program': (facts) => ({
    title: `${nameIn(facts)} can’t be run by itself`,
    advice:
      'The result is fine, but the program after it didn’t run. Choose the program that runs such files, such as python, and put the file into the arguments.',
  }),
  'hook/batch-file': (facts) => ({
    title: `${nameIn(facts)} is a batch file, which Windows runs only through a shell`,
    advice:
      'Timbre runs nothing through a shell, because names of files could become commands. Choose an .exe, such as powershell.exe or python.exe with a script in the arguments.',
  }),
  'hook/failed': (facts) => {
    const code = numberFact(facts, 'exitCode');
    const signal = textFact(facts, 'signal');
    return {
      title: `${nameIn(facts)} failed${code === undefined ? (signal === undefined ? '' : ` (${signal})`) : ` (exit code ${code})`}`,
      advice: 'The result is fine. The log has what the program wrote; mend it, then run it again in Settings.',
    };
  },
  'hook/timeout': (facts) => ({
    title: `${nameIn(facts)} took longer than ${seconds(numberFact(facts, 'seconds') ?? 0)} and was ended`,
    advice: 'The result is fine. Give the program more time in Settings, then run it again there.',
  }),
  'hook/interrupted': (facts) => ({
    title: `${nameIn(facts)} was interrupted twice`,
    advice: 'The result is fine. Timbre doesn’t start the program a third time by itself; run it again in Settings.',
  }),
};

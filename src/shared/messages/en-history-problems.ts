import { numberFact, type ProblemTextsOf, sentences, textFact } from './facts.ts';
import { formatFor } from './format.ts';

const format = formatFor('en');

/** Why something could not be done with entries of history. */
export const enHistoryProblems: ProblemTextsOf<'history'> = {
  'history/list-ended': () => ({ title: 'This list is no longer the latest', advice: 'Search again.' }),
  'history/undo-over': () => ({
    title: 'This can no longer be undone',
    advice: 'Files that were removed lie in the system’s trash.',
  }),
  'history/files-away': () => ({
    title: 'The entries are back, but not all of their files: the disk or folder is not there',
    advice: 'Connect it and press Undo again; otherwise Timbre brings the files back when it starts with it.',
  }),
  'history/not-an-export': (facts) => ({
    title: `${textFact(facts, 'name') ?? 'This file'} holds no history`,
    advice: 'Choose a list (.jsonl) or an archive (.zip) that Timbre has exported. Nothing was changed.',
  }),
  'history/export-newer': () => ({
    title: 'A newer Timbre exported this history',
    advice: 'Install the newest Timbre to import it. Nothing was changed.',
  }),
  'history/export-damaged': (facts) => {
    const count = numberFact(facts, 'count');
    return {
      title: `${textFact(facts, 'name') ?? 'This file'} is damaged`,
      advice: sentences(
        count === undefined
          ? undefined
          : `What could be read was imported: ${format.count(count, { one: '# entry', other: '# entries' })}.`,
        'Import an undamaged copy for the rest; nothing is doubled.',
      ),
    };
  },
  'history/export-too-large': (facts) => {
    const bytes = numberFact(facts, 'bytes');
    return {
      title: `${textFact(facts, 'name') ?? 'This archive'} is packed tighter than sound can be`,
      advice: sentences(
        bytes === undefined ? undefined : `It would take ${format.bytes(bytes)} of your disk.`,
        'Nothing was changed. Unpack it yourself if you trust it, and import the list in it.',
      ),
    };
  },
  'history/busy': () => ({
    title: 'History is still at work',
    advice: 'One export, import or search at a time: wait for it, or stop it.',
  }),
  'history/no-drag': () => ({
    title: 'Files cannot be dragged out of this window',
    advice: 'Copy their paths, or show them in their folder and drag them from there.',
  }),
};

import { numberFact, type ProblemTextsOf, sentences, textFact } from './facts.ts';
import { formatFor } from './locale-format.ts';

const format = formatFor('en');

export const enHistoryProblems: ProblemTextsOf<'history'> = {
  'history/list-ended': () => ({ title: 'This list is out of date', advice: 'Search again.' }),
  'history/undo-over': () => ({
    title: 'This can no longer be undone',
    advice: 'Removed files are in the system’s trash.',
  }),
  'history/files-away': () => ({
    title: 'The entries are back, but some files aren’t: their disk or folder is missing',
    advice: 'Connect it and select Undo again, or start Timbre with it connected to restore the files.',
  }),
  'history/not-an-export': (facts) => ({
    title: `${textFact(facts, 'name') ?? 'This file'} contains no history`,
    advice: 'Choose a list (.jsonl) or an archive (.zip) that Timbre exported. Nothing was changed.',
  }),
  'history/export-newer': () => ({
    title: 'This history is from a newer version of Timbre',
    advice: 'Install the latest version to import it. Nothing was changed.',
  }),
  'history/export-damaged': (facts) => {
    const count = numberFact(facts, 'count');
    return {
      title: `${textFact(facts, 'name') ?? 'This file'} is damaged`,
      advice: sentences(
        count === undefined
          ? undefined
          : format.count(count, {
              one: '# entry could be read and was imported.',
              other: '# entries could be read and were imported.',
            }),
        'Import an undamaged copy to get the rest; entries aren’t duplicated.',
      ),
    };
  },
  'history/export-too-large': (facts) => {
    const bytes = numberFact(facts, 'bytes');
    return {
      title: `${textFact(facts, 'name') ?? 'This archive'} is compressed more than audio can be`,
      advice: sentences(
        bytes === undefined ? undefined : `It would take up ${format.bytes(bytes)} on your disk.`,
        'Nothing was changed. If you trust it, unpack it yourself and import the list in it.',
      ),
    };
  },
  'history/busy': () => ({
    title: 'History is busy',
    advice: 'Only one export, import or search can run at a time: wait for it, or stop it.',
  }),
  'history/no-transfer': () => ({
    title: 'The system didn’t take the files',
    advice: 'Show them in their folder, and copy or share them there.',
  }),
  'history/no-drag': () => ({
    title: 'Files can’t be dragged out of this window',
    advice: 'Copy their paths, or show them in their folder and drag them from there.',
  }),
};

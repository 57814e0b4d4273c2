// Fails when changed settings of a folder convert anything again unasked, or when files are not converted once on request.
import { must, type Scenario } from '../support/scenario.ts';
import { openWatch } from '../support/watch/open-watch.ts';

export const scenario: Scenario = {
  id: 'W7',
  title: 'other settings of a folder offer to convert again and start no job',
  async run(context) {
    const engine = await context.startEngine();
    const watch = await openWatch(context, engine, { name: 'other settings' });
    await watch.begin();
    const count = context.size(6, 60);
    const names = Array.from({ length: count }, (_, k) => `take ${k}.wav`);
    for (const [k, name] of names.entries()) await watch.put(name, k);
    await watch.until('all are done', () => names.every(watch.isDone), 120_000);
    const { conversion } = watch.settings;
    await watch.begin({ conversion: { ...conversion, pitch: 1.2 } });
    await watch.putLast();
    must(
      names.every((name) => watch.verdict(name) === 'other-settings'),
      'it does not offer to convert all of them again',
    );
    must(watch.jobs().length === count + 1, `${watch.jobs().length - count - 1} jobs were started unasked`);
    await watch.restart();
    await watch.until(
      'it was looked over again',
      () => watch.view().checkedAt !== null && watch.view().mode === 'watching',
    );
    await watch.putLast();
    must(watch.jobs().length === count + 2, `${watch.jobs().length - count - 2} jobs were started by a restart`);

    context.note('a person wants them');
    watch.watch.convert(watch.view().folder.id, names);
    await watch.until(
      'all are done again',
      () => watch.jobs().length === 2 * count + 2 && names.every(watch.isDone),
      120_000,
    );
    await watch.begin({ conversion });
    await watch.putLast();
    must(watch.jobs().length === 2 * count + 3, 'the old settings started something');
    must(watch.mostPaid() === 1 && watch.paid() === 2 * count + 3, `${watch.paid()} paid calls`);
    await watch.close();
    return { files: count, 'started unasked': 0, 'converted again on wish': count };
  },
};

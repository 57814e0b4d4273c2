import type { Queue } from '../../main/core/jobs/queue.ts';
import { hasEnded } from '../../main/core/jobs/job.ts';
import type { Watch } from '../../main/core/watch/watch-service.ts';
import type { Pause } from '../../shared/schemas/job.ts';
import type { Invocation } from '../command.ts';
import { pauseReason } from '../jobs/reasons.ts';
import { sentence } from '../sentence.ts';
import { fileLine } from './file-line.ts';

interface Followed {
  readonly watch: Watch;
  readonly queue: Pick<Queue, 'store' | 'pauses'>;
  readonly id: string;
  /** As people call the connection. */
  readonly name: string;
  now(): number;
}

/** Tells what happens in a folder, each thing once. */
interface Following {
  /** Names the files that need a person, also those of which nothing happened. */
  nameBad(): void;
  end(): void;
}

export function followFolder(
  { watch, queue, id, name, now }: Followed,
  { output, messages }: Pick<Invocation, 'output' | 'messages'>,
): Following {
  const told = new Map<string, string>();

  function isNew(about: string, text: string): boolean {
    if (told.get(about) === text) return false;
    told.set(about, text);
    return true;
  }

  function tellFile(path: string): void {
    const view = watch.file(id, path);
    if (!view) return;
    const { job } = view;
    if (job && hasEnded(job)) queue.store.told([job.id]);
    const line = fileLine(view, watch.folder(id), messages);
    if (!line || !isNew(`file ${path}`, `${job?.id ?? ''} ${line.text}`)) return;
    if (line.isBad) output.complain(`${path}: ${line.text}`);
    else output.report(`${path} ${line.text}`);
    output.event({
      event: 'file',
      path,
      state: line.state.kind === 'job' ? (job?.state ?? 'done') : line.state.kind,
      output: job?.state === 'done' ? (job.output?.path ?? null) : null,
      message: line.text,
    });
  }

  function tellFolder(): void {
    const { mode, problems, everySeconds } = watch.folder(id);
    const words = [mode, ...problems.map((problem) => sentence(messages, problem))].join(' ');
    if (!isNew('folder', words)) return;
    for (const problem of problems) output.complain(sentence(messages, problem));
    output.event({ event: 'folder', mode, everySeconds, problems: problems.map(({ code }) => code) });
  }

  function tellPauses(pauses: readonly Pause[]): void {
    const texts = pauses.map((pause) => pauseReason(pause, name, messages, now()));
    for (const text of texts) if (isNew(`pause ${text}`, text)) output.complain(text);
    for (const about of [...told.keys()]) {
      if (about.startsWith('pause ') && !texts.includes(about.slice('pause '.length))) told.delete(about);
    }
  }

  const ends = [
    watch.onFile((file) => {
      if (file.id === id) tellFile(file.path);
    }),
    watch.onFolder((changed) => {
      if (changed === id) tellFolder();
    }),
    queue.pauses.onChanged(tellPauses),
  ];
  tellFolder();
  return {
    nameBad() {
      const { attention } = watch.folder(id).counts;
      for (const { line } of watch.files(id, null, 'attention', attention)) tellFile(line.path);
    },
    end: () => ends.forEach((end) => end()),
  };
}

import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

/** A process that began a session, or may have: ids are given again, so it is known by its start too. */
export interface Leader {
  readonly pid: number;
  /** Clock ticks since the system started. */
  readonly startTicks: number;
}

interface ProcessRow extends Leader {
  readonly parent: number;
  readonly session: number;
  /** It has exited but was not reaped. */
  readonly isOver: boolean;
}

/** A process as /proc has it; null when there is none. */
function readRow(pid: number): ProcessRow | null {
  let stat: string;
  try {
    stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  } catch {
    return null;
  }
  // The second field is a name in brackets that may itself hold brackets and spaces (proc_pid_stat(5)).
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const at = (index: number) => Number(fields[index]);
  return { pid, isOver: /^[ZX]/.test(fields[0] ?? ''), parent: at(1), session: at(3), startTicks: at(19) };
}

function runningRows(): readonly ProcessRow[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((name) => readRow(Number(name)))
    .filter((row) => row !== null)
    .filter(({ isOver }) => !isOver);
}

export const isRunning = (pid: number): boolean => readRow(pid)?.isOver === false;

/** Must be called right after the spawn, before its id can be reused. */
export const leaderOf = (pid: number): Leader | null => readRow(pid);

/** Those that belong to the leaders: in a session that one of them began, or descended from them. */
function family(leaders: ReadonlyMap<number, number>): readonly ProcessRow[] {
  const rows = runningRows();
  const byId = new Map(rows.map((row) => [row.pid, row]));
  const isLeader = ({ pid, startTicks }: ProcessRow) => leaders.get(pid) === startTicks;
  // The id of a session is not given again while it has members, its leader gone or not.
  const isOfTheirSession = ({ session }: ProcessRow) => {
    const leader = byId.get(session);
    return leaders.has(session) && (leader === undefined || isLeader(leader));
  };
  const members = new Set<number>();
  for (let size = -1; size !== members.size;) {
    ({ size } = members);
    for (const row of rows) {
      if (isLeader(row) || isOfTheirSession(row) || members.has(row.parent)) members.add(row.pid);
    }
  }
  return rows.filter(({ pid }) => members.has(pid));
}

function kill({ pid }: ProcessRow): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error;
  }
}

const settleMs = 5;

/** Kills the leaders and all that came of them, and resolves when none of them runs. Knows its own by /proc, so on Linux only. */
export async function killFamily(leaders: readonly Leader[]): Promise<void> {
  const known = new Map(leaders.map(({ pid, startTicks }) => [pid, startTicks]));
  // One may be born while the others die.
  for (let members = family(known); members.length > 0; members = family(known)) {
    // The children of one that is gone have another parent: they are found by the session that it may have begun.
    for (const { pid, startTicks } of members) known.set(pid, startTicks);
    members.forEach(kill);
    await sleep(settleMs);
  }
}

import type { Call, Operation } from './call.ts';
import type { Decision, Fault, Wait } from './fault.ts';

/** When a fault happens. The first matching rule that is not used up applies; a rule counts only calls that reach it. */
export interface Rule {
  /** Default `any`. */
  readonly operation?: Operation | readonly Operation[] | 'any';
  readonly task?: string;
  readonly when?: (call: Call) => boolean;
  /** How many matching calls pass before the rule applies. Default 0. */
  readonly after?: number;
  /** How many calls it applies to. Default: all. */
  readonly times?: number;
  readonly fault: Fault;
}

interface Match {
  readonly waits: readonly Wait[];
  readonly decision: Decision | null;
  /** The kind of fault in the rule. */
  readonly kind: Fault['kind'] | null;
}

export interface FaultRules {
  /** Replaces all rules and resets their counts. */
  script(rules: readonly Rule[]): void;
  match(call: Call): Match;
  /** The fault for a connection that was not read yet. */
  matchConnection(): (Fault & { kind: 'drop-before' }) | null;
}

const atAccept = ({ fault }: Rule) => fault.kind === 'drop-before' && fault.at === 'accept';
const gone = (status: number): Decision => ({
  kind: 'answer',
  status,
  body: { error: 'Not found.', details: 'There is no such result, or it is no longer kept.' },
});

function refuseUnknowable(rules: readonly Rule[]): void {
  for (const rule of rules.filter(atAccept)) {
    const { operation = 'any', task, when } = rule;
    if (operation !== 'any' || task !== undefined || when) {
      throw new Error('a connection that is dropped unread belongs to no call yet: its rule can choose none');
    }
  }
}

export function createFaultRules(): FaultRules {
  let active: { readonly rule: Rule; seen: number; readonly passedOn: Map<string, number> }[] = [];

  const fits = ({ operation = 'any', task, when }: Rule, call: Call) =>
    (operation === 'any' || [operation].flat().includes(call.operation)) &&
    (task === undefined || task === call.task) &&
    (when?.(call) ?? true);

  /** Counts this call, and returns whether the rule applies. */
  const strikes = (entry: (typeof active)[number]) => {
    const { after = 0, times = Infinity } = entry.rule;
    entry.seen += 1;
    return entry.seen > after && entry.seen <= after + times;
  };

  function decide(fault: Exclude<Fault, Wait>, call: Call, passedOn: Map<string, number>): Decision | null {
    if (fault.kind === 'gone') return gone(fault.status);
    if (fault.kind === 'redirect') {
      const headers = fault.location === undefined ? {} : { location: fault.location };
      return { kind: 'answer', status: fault.status, headers };
    }
    if (fault.kind !== 'expire') return fault;
    const times = (passedOn.get(call.path) ?? 0) + 1;
    passedOn.set(call.path, times);
    return times > fault.after ? gone(410) : null;
  }

  return {
    script(rules) {
      refuseUnknowable(rules);
      active = rules.map((rule) => ({ rule, seen: 0, passedOn: new Map() }));
    },
    match(call) {
      const waits: Wait[] = [];
      for (const entry of active) {
        const { rule, passedOn } = entry;
        if (atAccept(rule) || !fits(rule, call) || !strikes(entry)) continue;
        const { fault } = rule;
        if (fault.kind === 'latency' || fault.kind === 'hold') {
          waits.push(fault);
          continue;
        }
        const decision = decide(fault, call, passedOn);
        if (decision) return { waits, decision, kind: fault.kind };
      }
      return { waits, decision: null, kind: null };
    },
    matchConnection() {
      for (const entry of active) {
        const { fault } = entry.rule;
        if (atAccept(entry.rule) && strikes(entry) && fault.kind === 'drop-before') return fault;
      }
      return null;
    },
  };
}

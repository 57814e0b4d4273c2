import type { Messages } from '../../../../shared/messages/index.ts';
import type { QueryFilter } from '../../state/query-parts.ts';

/** A filter as it is shown: its words where we have some, else what was written. */
export function filterWords({ name, value, isNot }: QueryFilter, { history: { search: t } }: Messages): string {
  const isOfPerson = name === 'voice' || name === 'tag' || name === 'from';
  return t.filter(t.names[name], (isOfPerson ? undefined : t.values[value.toLowerCase()]) ?? value, isNot);
}

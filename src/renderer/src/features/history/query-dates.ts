import type { QueryFilter } from './query.svelte.ts';

export const spans = ['any', 'today', 'week', 'month', 'year'] as const;
export type Span = (typeof spans)[number];

const pad = (number: number): string => String(number).padStart(2, '0');
const written = (date: Date): string => `${date.getFullYear()}-${pad(date.getMonth() + 1)}-${pad(date.getDate())}`;

/** The first day of a span that ends now, as a filter writes it; null for any time. */
export function startOf(span: Span, now: number): string | null {
  const date = new Date(now);
  if (span === 'any') return null;
  if (span === 'year') return `${date.getFullYear()}-01-01`;
  date.setDate(date.getDate() - { today: 0, week: 6, month: 29 }[span]);
  return written(date);
}

/** The span that the filters say; `other` where they say another. */
export function spanOf(filters: readonly QueryFilter[], now: number): Span | 'other' {
  const times = filters.filter(({ name }) => name === 'after' || name === 'before');
  if (times.length === 0) return 'any';
  const [only] = times;
  if (!only || times.length > 1 || only.name !== 'after' || only.isNot) return 'other';
  return spans.find((span) => startOf(span, now) === only.value) ?? 'other';
}

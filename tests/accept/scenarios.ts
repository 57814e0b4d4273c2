import { q16 } from './q16.ts';
import { q19 } from './q19.ts';
import type { Scenario } from './scenario.ts';

/** All of them, in the order of the tables. */
export const scenarios: readonly Scenario[] = [q16, q19];

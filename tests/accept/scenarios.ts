import { q1 } from './q1.ts';
import { q2 } from './q2.ts';
import { q3 } from './q3.ts';
import { q4 } from './q4.ts';
import { q5 } from './q5.ts';
import { q6 } from './q6.ts';
import { q7 } from './q7.ts';
import { q8 } from './q8.ts';
import { q9 } from './q9.ts';
import { q10 } from './q10.ts';
import { q11 } from './q11.ts';
import { q12 } from './q12.ts';
import { q12b } from './q12b.ts';
import { q13 } from './q13.ts';
import { q14 } from './q14.ts';
import { q15 } from './q15.ts';
import { q16 } from './q16.ts';
import { q17 } from './q17.ts';
import { q18 } from './q18.ts';
import { q19 } from './q19.ts';
import { q20 } from './q20.ts';
import { q21 } from './q21.ts';
import { q22 } from './q22.ts';
import { q26 } from './q26.ts';
import { q27 } from './q27.ts';
import { q28 } from './q28.ts';
import { q29 } from './q29.ts';
import { q30 } from './q30.ts';
import { q25 } from './q25.ts';
import { w1 } from './w1.ts';
import { w2 } from './w2.ts';
import { w3 } from './w3.ts';
import { w4 } from './w4.ts';
import { w5 } from './w5.ts';
import { w6 } from './w6.ts';
import { w7 } from './w7.ts';
import { w8 } from './w8.ts';
import { w9 } from './w9.ts';
import { w10 } from './w10.ts';
import { w11 } from './w11.ts';
import { w12 } from './w12.ts';
import { w13 } from './w13.ts';
import { w14 } from './w14.ts';
import { w15 } from './w15.ts';
import { w16 } from './w16.ts';
import { w17 } from './w17.ts';
import { w18 } from './w18.ts';
import { h1 } from './h1.ts';
import { h2 } from './h2.ts';
import { h3 } from './h3.ts';
import { h4 } from './h4.ts';
import { h5 } from './h5.ts';
import { h6 } from './h6.ts';
import { h7 } from './h7.ts';
import { h9 } from './h9.ts';
import { h10 } from './h10.ts';
import { h11 } from './h11.ts';
import { h13, h14, h15 } from './library/imports.ts';
import { c1, c2, c3, c4, c5, c8 } from './command-line/lines.ts';
import { c6, c7, c9, c10, c11, c12, s15 } from './command-line/surroundings.ts';
import { w19 } from './watch/unwritable.ts';
import { w22 } from './w22.ts';
import { w23 } from './w23.ts';
import { s18 } from './s18.ts';
import { r1 } from './r1.ts';
import { r2 } from './r2.ts';
import { r3 } from './r3.ts';
import { s14 } from './s14.ts';
import { s16 } from './s16.ts';
import { s17 } from './s17.ts';
import { s19 } from './s19.ts';
import { s20 } from './s20.ts';
import { s21 } from './s21.ts';
import { s23 } from './s23.ts';
import { r4 } from './r4.ts';
import type { Scenario } from './scenario.ts';

/** All of them, in the order of the tables. */
export const scenarios: readonly Scenario[] = [
  q1,
  q2,
  q3,
  q4,
  q5,
  q6,
  q7,
  q8,
  q9,
  q10,
  q11,
  q12,
  q12b,
  q13,
  q14,
  q15,
  q16,
  q17,
  q18,
  q19,
  q20,
  q21,
  q22,
  q26,
  q27,
  q28,
  q29,
  q30,
  q25,
  w1,
  w2,
  w3,
  w4,
  w5,
  w6,
  w7,
  w8,
  w9,
  w10,
  w11,
  w12,
  w13,
  w14,
  w15,
  w16,
  w17,
  w18,
  w19,
  w22,
  w23,
  h1,
  h2,
  h3,
  h4,
  h5,
  h6,
  h7,
  h9,
  h10,
  h11,
  h13,
  h14,
  h15,
  s15,
  c1,
  c2,
  c3,
  c4,
  c5,
  c6,
  c7,
  c8,
  c9,
  c10,
  c11,
  c12,
  s18,
  r1,
  r2,
  r3,
  s14,
  s16,
  s17,
  s19,
  s20,
  s21,
  s23,
  r4,
];

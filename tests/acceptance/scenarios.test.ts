import { expect, it } from 'vitest';
import { allScenarios } from './scenarios.ts';

/** So that none is lost when a file moves. One that takes long begins first. */
const ids = [
  'R1',
  'C1 C2 C3 C4 C5 C6 C7 C8 C9 C10 C11 C12',
  'H1 H2 H3 H4 H5 H6 H7 H9 H10 H11 H12 H13 H14 H15',
  'Q1 Q2 Q3 Q4 Q5 Q6 Q7 Q8 Q9 Q10 Q11 Q12 Q12b Q13 Q14 Q15',
  'Q16 Q17 Q18 Q19 Q20 Q21 Q22 Q25 Q26 Q27 Q28 Q29 Q30 Q31 Q32 Q33',
  'R2 R3 R4 R5 R6',
  'S14 S15 S16 S17 S18 S19 S20 S21 S23',
  'W1 W2 W3 W4 W5 W6 W7 W8 W9 W10 W11 W12 W13 W14 W15 W16',
  'W17 W18 W19 W20 W21 W22 W23 W24',
].join(' ');

it('contain every row of the acceptance tables exactly once', async () => {
  expect((await allScenarios()).map(({ id }) => id).join(' ')).toBe(ids);
});

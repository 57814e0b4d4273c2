/** Rows of jobs in one message: a hundred with the longest names and words stay below the 256 kB that a message may have. */
export const rowsInMessage = 100;

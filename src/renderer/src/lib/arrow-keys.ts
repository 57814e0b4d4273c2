/**
 * Where an arrow, Home or End leads from a place in a grid that is filled row by row. Undefined for other keys. Nothing wraps round: an
 * arrow into nowhere stays, except that down from the row before the last one finds the last voice.
 */
export function cellAfter(key: string, here: number, count: number, columns: number): number | undefined {
  const last = count - 1;
  switch (key) {
    case 'ArrowRight':
      return Math.min(last, here + 1);
    case 'ArrowLeft':
      return Math.max(0, here - 1);
    case 'ArrowDown': {
      const isInLastRow = Math.floor(here / columns) === Math.floor(last / columns);
      return isInLastRow ? here : Math.min(last, here + columns);
    }
    case 'ArrowUp':
      return here < columns ? here : here - columns;
    case 'Home':
      return 0;
    case 'End':
      return last;
  }
  return undefined;
}

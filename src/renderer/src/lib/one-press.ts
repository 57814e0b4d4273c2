/** A double click, and a key that is held, count once on this button: another press would be paid for, or meet what moved into its place. */
export function onePress(button: HTMLElement): () => void {
  function onclick(event: MouseEvent): void {
    if (event.detail > 1) event.stopImmediatePropagation();
  }
  function onkeydown(event: KeyboardEvent): void {
    if (event.repeat && event.key === 'Enter') event.preventDefault();
  }
  button.addEventListener('click', onclick, { capture: true });
  button.addEventListener('keydown', onkeydown);
  return () => {
    button.removeEventListener('click', onclick, { capture: true });
    button.removeEventListener('keydown', onkeydown);
  };
}

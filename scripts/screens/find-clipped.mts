/** Runs in the page: finds elements beyond the window or clipped by their container. */
export function findClipped(): string[] {
  const faults: string[] = [];
  const nameOf = (element: Element): string =>
    `<${element.tagName.toLowerCase()}> "${(element.getAttribute('aria-label') ?? element.textContent).trim().slice(0, 40)}"`;
  const page = document.documentElement;
  const width = innerWidth;
  if (page.scrollWidth > width) faults.push(`sideways overflow: ${page.scrollWidth} in ${width}`);
  const sidebar = document.querySelector('nav')?.getBoundingClientRect();
  const view = document.querySelector('main')?.getBoundingClientRect();
  // The sidebar is at the right in languages that are written from there.
  if (sidebar && view && Math.min(sidebar.right, view.right) > Math.max(sidebar.left, view.left) + 0.5)
    faults.push('the sidebar overlaps the view');
  const modal = [...document.querySelectorAll('dialog[open]')].at(-1);
  for (const control of (modal ?? document).querySelectorAll('button, input, select, [role="slider"], h1, h2')) {
    const box = control.getBoundingClientRect();
    if (box.width <= 1 || getComputedStyle(control).visibility === 'hidden') continue;
    if (control instanceof HTMLButtonElement && control.scrollWidth > control.clientWidth + 1)
      faults.push(`words cut in ${nameOf(control)}`);
    if (box.left + scrollX < -4.5 || box.right + scrollX > width + 4.5)
      faults.push(`out of the window: ${nameOf(control)}`);
    for (let parent = control.parentElement; parent && parent !== document.body; parent = parent.parentElement) {
      const { overflowX, overflowY } = getComputedStyle(parent);
      const frame = parent.getBoundingClientRect();
      const isCutAcross = overflowX !== 'visible' && (box.left < frame.left - 4.5 || box.right > frame.right + 4.5);
      const isCutAlong = /hidden|clip/.test(overflowY) && (box.top < frame.top - 1 || box.bottom > frame.bottom + 1);
      if (isCutAcross || isCutAlong) {
        if (!control.closest('[role="row"]') || isCutAcross)
          faults.push(`cut: ${nameOf(control)} in .${parent.className}`);
      }
      // What scrolls may hide what is below.
      if (/auto|scroll/.test(overflowY) || parent.tagName === 'DIALOG') break;
    }
  }
  for (const box of document.querySelectorAll<HTMLElement>('.scroll, dialog, .view')) {
    if (box.scrollWidth > box.clientWidth + 1) faults.push(`scrolls sideways: .${box.className}`);
  }
  return faults;
}

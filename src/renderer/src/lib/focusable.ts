const focusable = ':is(a[href], button, input, select, textarea, summary, [tabindex]):not(:disabled, [tabindex="-1"])';
/** What a view is opened for: the row with the tab stop of its list, or its text. */
const mainControl = ':is([role="grid"], [role="listbox"]) [tabindex="0"], [role="grid"][tabindex="0"], textarea';

export const canFocus = (element: Element): boolean =>
  element.matches(focusable) && element.checkVisibility({ visibilityProperty: true });
export const listFocusable = (root: Element): readonly HTMLElement[] =>
  [...root.querySelectorAll<HTMLElement>(focusable)].filter(canFocus);
export const isMain = (element: Element): boolean => element.matches(mainControl);

/** The element of a panel that had the focus before, or else what the panel is for. Undefined if nothing in it can have the focus. */
export function focusTarget(panel: Element, before: Element | undefined): HTMLElement | undefined {
  const all = panel instanceof HTMLElement && canFocus(panel) ? [panel] : listFocusable(panel);
  return all.find((element) => element === before) ?? all.find(isMain) ?? all[0];
}

// How main learns that the person went to another program: a script in a world of its own, out of the page's reach.

/** Name of the binding that the script calls; known in its world only. */
export const focusBinding = (key: string): string => `${key}Focus`;

/** Tells whenever the page's window gets the focus or loses it; a frame inside the page has it as well. */
export const focusScript = (key: string): string => `
  if (window === window.top) {
    for (const name of ['focus', 'blur']) addEventListener(name, () => ${focusBinding(key)}(String(document.hasFocus())));
  }
`;

// Reports to main when the window loses the focus to another program, by a script in an isolated world.

/** Name of the binding that the script calls; exists only in the isolated world. */
export const focusBinding = (key: string): string => `${key}Focus`;

/** Reports focus changes of the page's window; focus in a frame of the page counts as well. */
export const focusScript = (key: string): string => `
  if (window === window.top) {
    for (const name of ['focus', 'blur']) addEventListener(name, () => ${focusBinding(key)}(String(document.hasFocus())));
  }
`;

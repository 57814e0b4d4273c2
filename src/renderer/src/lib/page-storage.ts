/** `DOMException`: the browser refuses to store anything, or has no space left. */
function unlessRefused<T>(access: () => T): T | null {
  try {
    return access();
  } catch (error) {
    if (!(error instanceof DOMException)) throw error;
    return null;
  }
}

/** What the page remembers for its next start: nothing where the browser refuses to store it. */
export const pageStorage: Pick<Storage, 'getItem' | 'setItem'> = {
  getItem: (key) => unlessRefused(() => localStorage.getItem(`timbre.${key}`)),
  setItem: (key, value) => void unlessRefused(() => localStorage.setItem(`timbre.${key}`, value)),
};

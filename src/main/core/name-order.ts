import type { Language } from '../../shared/schemas/settings.ts';

/** Compares names for lists that a user reads. */
export type CompareNames = (a: string, b: string) => number;

/** As the user’s language orders them, and numbers by their value. */
export function createNameOrder(language: () => Language): CompareNames {
  let current: { readonly language: Language; readonly collator: Intl.Collator } | undefined;
  return (a, b) => {
    const wanted = language();
    if (current?.language !== wanted) {
      const collator = new Intl.Collator(wanted === 'system' ? undefined : wanted, { numeric: true });
      current = { language: wanted, collator };
    }
    return current.collator.compare(a, b);
  };
}

/** Which files a page may play, each under an opaque id. A page can neither read a path out of an id nor make up an id. */
export interface MediaRegistry {
  idOf(path: string): string;
  pathOf(id: string): string | undefined;
}

/** `randomId` must not be guessable: 128 random bits. */
export function createMediaRegistry({ randomId }: { readonly randomId: () => string }): MediaRegistry {
  const ids = new Map<string, string>();
  const paths = new Map<string, string>();
  return {
    idOf(path) {
      const known = ids.get(path);
      if (known !== undefined) return known;
      const id = randomId();
      ids.set(path, id);
      paths.set(id, path);
      return id;
    },
    pathOf: (id) => paths.get(id),
  };
}

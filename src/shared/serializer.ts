/** Returns a function that runs one task at a time, in the order of the calls. Each call settles as its task does. */
export function createSerializer(): <T>(task: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve();
  return (task) => {
    const result = last.then(task);
    last = result.catch(() => undefined);
    return result;
  };
}

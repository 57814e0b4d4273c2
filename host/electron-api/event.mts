/** The event object that is the first argument of listeners in Electron. */
export interface HostEvent {
  readonly defaultPrevented: boolean;
  preventDefault(): void;
}

/** Creates an event with `details` as its own properties. */
export function createEvent<T extends object>(details?: T): HostEvent & T {
  let prevented = false;
  const event = {
    get defaultPrevented() {
      return prevented;
    },
    preventDefault() {
      prevented = true;
    },
  };
  return Object.defineProperties(event, Object.getOwnPropertyDescriptors(details ?? {})) as HostEvent & T;
}

/** The event object that Electron hands to listeners first. */
export interface HostEvent {
  readonly defaultPrevented: boolean;
  preventDefault(): void;
}

/** A fresh event with `details` as its own properties. */
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

import { MediaQuery } from 'svelte/reactivity';
import { devicePixelRatio } from 'svelte/reactivity/window';

/** What layout and drawing depend on: the width of the window, its pixel ratio, and whether the user wants less motion. */
export class Viewport {
  readonly #narrow = new MediaQuery('(max-width: 1000px)');
  readonly #reducedMotion = new MediaQuery('(prefers-reduced-motion: reduce)');

  /** True if the side panel is a sheet over the view. */
  get isNarrow(): boolean {
    return this.#narrow.current;
  }

  get hasReducedMotion(): boolean {
    return this.#reducedMotion.current;
  }

  get pixelRatio(): number {
    return devicePixelRatio.current ?? 1;
  }
}

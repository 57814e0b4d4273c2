import { followScroll, placeToShow, viewAt, type TallList, type TallView } from './tall-list.ts';

/** What a reader sees of a tall list; the element that scrolls follows it, and tells when it was scrolled itself. */
export class TallScroll {
  #view = $state.raw<TallView>({ place: 0, scrollTop: 0 });
  viewHeight = $state(0);

  /** What is at the upper edge, in pixels from the top of the list. */
  readonly place: number = $derived(this.#view.place);
  readonly scrollTop: number = $derived(this.#view.scrollTop);
  /** From places to where things stand within the element. */
  readonly shift: number = $derived(this.#view.scrollTop - this.#view.place);

  /** The element stands at `scrollTop` now. */
  follow(list: TallList, scrollTop: number): void {
    if (scrollTop !== this.#view.scrollTop) this.#view = followScroll(list, this.viewHeight, this.#view, scrollTop);
  }

  /** The element could not stand quite where it was put. */
  settle(scrollTop: number): void {
    this.#view = { place: this.#view.place, scrollTop };
  }

  goTo(list: TallList, place: number): void {
    this.#view = viewAt(list, this.viewHeight, place);
  }

  /** Brings the bar to where the place is, once nobody turns the wheel any more. */
  rest(list: TallList): void {
    const view = viewAt(list, this.viewHeight, this.place);
    if (Math.abs(view.scrollTop - this.scrollTop) >= 1) this.#view = view;
  }

  show(list: TallList, row: number): void {
    const place = placeToShow(list, this.viewHeight, this.place, row);
    if (place !== this.place) this.goTo(list, place);
  }
}

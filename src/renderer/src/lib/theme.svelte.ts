import { MediaQuery } from 'svelte/reactivity';
import { devicePixelRatio } from 'svelte/reactivity/window';
import { contrasts, themes, type Contrast, type Settings, type Theme } from '../../../shared/schemas/settings.ts';

export interface WaveformPalette {
  /** Five colours from dark to bright. */
  readonly tones: readonly string[];
  readonly rest: string;
  readonly line: string;
  readonly ink: string;
  /** Opacity of peaks over the RMS body. */
  readonly peakPower: number;
}

/** The colours that are in force for an element. */
function readPalette(element: Element): WaveformPalette {
  const css = getComputedStyle(element);
  const token = (name: string): string => css.getPropertyValue(`--${name}`).trim();
  return {
    tones: [1, 2, 3, 4, 5].map((tone) => token(`tone-${tone}`)),
    rest: token('wave-rest'),
    line: token('line-strong'),
    ink: token('ink'),
    peakPower: Number.parseFloat(token('wave-peak')) || 0.4,
  };
}

const memory = 'timbre.look';

interface Choice {
  readonly theme: Theme;
  readonly contrast: Contrast;
}

/** What was remembered, whatever it is: each value that does not fit is the system's. */
export function parseTheme(text: string | null): Choice {
  let stored: unknown;
  try {
    stored = JSON.parse(text ?? 'null');
  } catch {
    stored = null;
  }
  const { theme, contrast } = (typeof stored === 'object' && stored !== null ? stored : {}) as Partial<Choice>;
  return {
    theme: themes.find((one) => one === theme) ?? 'system',
    contrast: contrasts.find((one) => one === contrast) ?? 'system',
  };
}

/**
 * How the window looks: the person's choice, else the system's. The choice stands as data attributes on the root element, which
 * the tokens read. It is also remembered in the page, so that the first frame has the right colours before settings arrive.
 */
export class Look {
  readonly #dark = new MediaQuery('(prefers-color-scheme: dark)');
  readonly #moreContrast = new MediaQuery('(prefers-contrast: more)');
  readonly #lessMotion = new MediaQuery('(prefers-reduced-motion: reduce)');
  readonly #narrow = new MediaQuery('(max-width: 1000px)');
  #choice = $state.raw<Choice>({ theme: 'system', contrast: 'system' });

  /** Changes whenever a colour may have changed. */
  readonly colours = $derived(`${this.#choice.theme} ${this.#dark.current} ${this.isMoreContrast}`);

  /** What canvases draw with; read from the tokens once for each change of look, not for each of their many drawings. */
  readonly palette: WaveformPalette = $derived.by(() => {
    void this.colours;
    return readPalette(document.documentElement);
  });

  get isMoreContrast(): boolean {
    return this.#choice.contrast === 'more' || this.#moreContrast.current;
  }

  get isLessMotion(): boolean {
    return this.#lessMotion.current;
  }

  /** The side pane is a sheet. */
  get isNarrow(): boolean {
    return this.#narrow.current;
  }

  get pixelRatio(): number {
    return devicePixelRatio.current ?? 1;
  }

  /** Before the first frame: what was chosen the last time. */
  recall(): void {
    try {
      this.#show(parseTheme(localStorage.getItem(memory)));
    } catch (error) {
      // A page without storage has the system's look until settings arrive.
      if (!(error instanceof DOMException)) throw error;
    }
  }

  follow({ theme, contrast }: Settings): void {
    this.#show({ theme, contrast });
    try {
      localStorage.setItem(memory, JSON.stringify({ theme, contrast }));
    } catch (error) {
      if (!(error instanceof DOMException)) throw error;
    }
  }

  /** The system may change its mind while the choice is "as the system". */
  showContrast(): void {
    const { dataset } = document.documentElement;
    if (this.isMoreContrast) dataset['contrast'] = 'more';
    else delete dataset['contrast'];
  }

  #show(choice: Choice): void {
    const { dataset } = document.documentElement;
    if (choice.theme === 'light' || choice.theme === 'dark') dataset['theme'] = choice.theme;
    else delete dataset['theme'];
    this.#choice = choice;
    this.showContrast();
  }
}

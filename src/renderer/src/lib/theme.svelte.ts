import { MediaQuery } from 'svelte/reactivity';
import {
  contrasts,
  themes,
  type Contrast,
  type Settings,
  type Theme as ThemeSetting,
} from '../../../shared/schemas/settings.ts';
import { dependOn } from './depend-on.ts';
import { pageStorage } from './page-storage.ts';

export interface WaveformPalette {
  /** Five colours from dark to bright timbre. */
  readonly tones: readonly string[];
  readonly rest: string;
  readonly line: string;
  readonly ink: string;
  /** Opacity of peaks over the RMS body. */
  readonly peakPower: number;
}

/** Reads the tokens that apply to an element. */
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

const storageKey = 'theme';

interface Choice {
  readonly theme: ThemeSetting;
  readonly contrast: Contrast;
}

/** Parses the stored choice; each missing or invalid value follows the system. */
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
 * The colours of the window: the user's choice, else the system's. The choice is set as data attributes on the root element, which
 * the design tokens read. The page also stores it, so that the first frame has the right colours before the settings arrive.
 */
export class Theme {
  readonly #dark = new MediaQuery('(prefers-color-scheme: dark)');
  readonly #moreContrast = new MediaQuery('(prefers-contrast: more)');
  #choice = $state.raw<Choice>({ theme: 'system', contrast: 'system' });

  /** Changes whenever a colour may have changed. */
  readonly colours = $derived(`${this.#choice.theme} ${this.#dark.current} ${this.isMoreContrast}`);

  /** Colours for canvases; read from the tokens once for each change of the theme, not for each of their many drawings. */
  readonly palette: WaveformPalette = $derived.by(() => {
    dependOn(this.colours);
    return readPalette(document.documentElement);
  });

  get isMoreContrast(): boolean {
    return this.#choice.contrast === 'more' || this.#moreContrast.current;
  }

  /** Applies the stored choice before the first frame. */
  restore(): void {
    this.#apply(parseTheme(pageStorage.getItem(storageKey)));
  }

  follow({ theme, contrast }: Settings): void {
    this.#apply({ theme, contrast });
    pageStorage.setItem(storageKey, JSON.stringify({ theme, contrast }));
  }

  /** Applies the contrast again when the system changes its own. */
  applyContrast(): void {
    const { dataset } = document.documentElement;
    if (this.isMoreContrast) dataset['contrast'] = 'more';
    else delete dataset['contrast'];
  }

  #apply(choice: Choice): void {
    const { dataset } = document.documentElement;
    if (choice.theme === 'light' || choice.theme === 'dark') dataset['theme'] = choice.theme;
    else delete dataset['theme'];
    this.#choice = choice;
    this.applyContrast();
  }
}

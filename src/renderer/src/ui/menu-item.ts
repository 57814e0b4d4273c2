import type { Component } from 'svelte';

export interface MenuItem {
  readonly label: string;
  readonly icon: Component<{ size?: number }>;
  readonly isGrave?: boolean;
  /** Undefined where it is no choice that stays. */
  readonly isChecked?: boolean;
  readonly onchoose: () => void;
}

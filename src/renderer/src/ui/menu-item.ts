import type { Component } from 'svelte';

export interface MenuItem {
  readonly label: string;
  readonly icon: Component<{ size?: number }>;
  readonly isDestructive?: boolean;
  /** Undefined if the item is not a checkbox. */
  readonly isChecked?: boolean;
  readonly onchoose: () => void;
}

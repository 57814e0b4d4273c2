import type { IconNode } from 'lucide';

export interface MenuItem {
  readonly label: string;
  readonly icon: IconNode;
  readonly isDestructive?: boolean;
  /** Undefined if the item is not a checkbox. */
  readonly isChecked?: boolean;
  readonly onchoose: () => void;
}

import type { Component } from 'svelte';
import { render } from 'vitest-browser-svelte';
import { loadMessages, type Messages } from '../../../shared/messages/index.ts';
import '../styles/first-frame.css';
import '../styles/index.css';
import type { RunRemedy } from './context.ts';
import InContext from './InContext.fixture.svelte';

export const messages: Messages = await loadMessages('en');

/** Renders a component in a real browser, with the context that `App` gives to all components. */
export const renderInApp = <Props extends Record<string, unknown>>(
  component: Component<Props, object>,
  props: Props,
  runRemedy: RunRemedy = () => undefined,
) =>
  render(InContext as unknown as Component<Record<string, unknown>>, {
    props: { component, props, messages, runRemedy },
  });

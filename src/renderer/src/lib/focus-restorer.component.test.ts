import { afterEach, beforeEach, expect, it } from 'vitest';
import { userEvent } from 'vitest/browser';
import { createFocusRestorer, type FocusRestorer } from './focus-restorer.ts';

let restorer: FocusRestorer;
const find = (id: string): HTMLElement => document.getElementById(id) as HTMLElement;
const button = (id: string): HTMLButtonElement =>
  Object.assign(document.createElement('button'), { id, textContent: id });
/** Changes the page as one update of a component, and tells what has the focus then. */
async function focusAfter(change: () => void): Promise<string> {
  change();
  await Promise.resolve();
  return document.activeElement?.id || (document.activeElement?.nodeName ?? '');
}

beforeEach(() => {
  document.body.innerHTML = `
    <nav><button id="sidebar">Sidebar</button></nav>
    <main id="view"><div id="first">
      <p><button id="one">1</button><button id="two">2</button><button id="three">3</button></p>
      <section id="section"><button id="alone">Alone</button></section>
      <button id="last">Last</button>
    </div></main>`;
  restorer = createFocusRestorer(() => find('view'));
});
afterEach(() => {
  restorer.stop();
  document.body.replaceChildren();
});

it('what replaces a removed element gets its focus', async () => {
  find('two').focus();
  expect(await focusAfter(() => find('two').replaceWith(button('instead')))).toBe('instead');
});

it('the next element gets the focus of a removed one, or the one before it at the end', async () => {
  find('two').focus();
  expect(await focusAfter(() => find('two').remove())).toBe('three');
  expect(await focusAfter(() => find('three').remove())).toBe('one');
});

it('the last row of a list leaves the focus to the first button of the row before', async () => {
  find('section').innerHTML = `<ul>
    <li><button id="open-a">Open</button><button>Remove</button></li>
    <li id="b"><button>Open</button><button id="remove-b">Remove</button></li>
  </ul>`;
  find('remove-b').focus();
  expect(await focusAfter(() => find('b').remove())).toBe('open-a');
});

it('neighbours that are removed together are passed over', async () => {
  find('one').focus();
  expect(
    await focusAfter(() => {
      find('one').remove();
      find('two').remove();
    }),
  ).toBe('three');
});

it('an element that is moved keeps the focus', async () => {
  find('one').focus();
  expect(await focusAfter(() => find('three').after(find('one')))).toBe('one');
});

it('what has nothing left to focus is left to what follows it', async () => {
  find('alone').focus();
  expect(await focusAfter(() => find('alone').remove())).toBe('last');
});

it('a removed row leaves the focus to the tab stop of its list', async () => {
  find('section').innerHTML = `<div role="grid">
    <div role="row" id="a" tabindex="-1"><button>x</button></div>
    <div role="row" id="b" tabindex="-1"><button>x</button></div>
    <div role="row" id="c" tabindex="0"><button>x</button></div>
  </div>`;
  find('b').focus();
  expect(await focusAfter(() => find('b').remove())).toBe('c');
});

it('a closed dialog returns the focus to what opened it, or to its place if that is gone', async () => {
  const open = (): HTMLDialogElement => {
    const dialog = document.body.appendChild(document.createElement('dialog'));
    dialog.append(button('inside'));
    dialog.showModal();
    return dialog;
  };
  find('two').focus();
  let dialog = open();
  expect(await focusAfter(() => dialog.remove())).toBe('two');
  dialog = open();
  find('two').remove();
  await Promise.resolve();
  expect(await focusAfter(() => dialog.remove())).toBe('three');
});

it('an element that is removed from a dialog leaves the focus in it', async () => {
  find('one').focus();
  const dialog = find('view').appendChild(document.createElement('dialog'));
  dialog.append(button('step'), button('close'));
  dialog.showModal();
  expect(document.activeElement?.id).toBe('step');
  expect(await focusAfter(() => find('step').remove())).toBe('close');
});

it('a view that replaces another has the focus on its list or text, even if that appears later', async () => {
  find('two').focus();
  const other = document.createElement('div');
  other.append(button('search'));
  expect(await focusAfter(() => find('first').replaceWith(other))).toBe('search');
  const text = Object.assign(document.createElement('textarea'), { id: 'text' });
  expect(await focusAfter(() => other.append(text))).toBe('text');
});

it('a view that has nothing to focus yet is entered once it has', async () => {
  find('sidebar').focus();
  find('first').replaceChildren();
  expect(await focusAfter(() => restorer.enterView())).toBe('sidebar');
  expect(await focusAfter(() => find('first').append(button('search')))).toBe('search');
});

it('a text that is replaced by a list leaves the focus to it, once it is loaded', async () => {
  find('section').innerHTML =
    '<textarea id="text"></textarea><i></i><div role="grid"><b id="other" tabindex="0"></b></div>';
  await Promise.resolve();
  find('text').focus();
  const panel = document.createElement('div');
  panel.append(button('back'));
  // As Svelte does it: what is new comes first, behind what is old.
  expect(
    await focusAfter(() => {
      find('text').after(panel);
      find('text').remove();
    }),
  ).toBe('back');
  const list = '<div role="grid"><b id="row" tabindex="0">Row</b></div>';
  expect(await focusAfter(() => panel.insertAdjacentHTML('beforeend', list))).toBe('row');
});

it('a list that appears after the user has moved on does not take the focus', async () => {
  find('two').focus();
  const other = document.createElement('div');
  other.append(button('search'), button('next'));
  await focusAfter(() => find('first').replaceWith(other));
  await userEvent.keyboard('{Tab}{Shift>}{Tab}{/Shift}');
  expect(await focusAfter(() => other.append(document.createElement('textarea')))).toBe('search');
});

it('a view is entered from outside, and keeps the focus that it has', async () => {
  find('sidebar').focus();
  expect(await focusAfter(() => restorer.enterView())).toBe('one');
  find('three').focus();
  expect(await focusAfter(() => restorer.enterView())).toBe('three');
});

it('a click on an empty place takes the focus away for good', async () => {
  find('two').focus();
  await userEvent.click(document.body, { position: { x: 5, y: 300 } });
  expect(document.activeElement).toBe(document.body);
  expect(await focusAfter(() => find('two').remove())).toBe('BODY');
});

it('a view without a list or a text is entered at its heading, not at what is beside it', async () => {
  find('first').innerHTML = '<h1 id="heading">Custom voices</h1><button>Refresh</button>';
  find('sidebar').focus();
  expect(await focusAfter(() => restorer.enterView())).toBe('heading');
  find('first').innerHTML = '<select id="select"></select>';
  find('sidebar').focus();
  expect(await focusAfter(() => restorer.enterView())).toBe('select');
});

it('what a view is entered at comes into view, and what a closed dialog returns to does not', async () => {
  find('first').innerHTML =
    '<div id="list" role="grid" style="block-size: 50px; overflow: auto"><p style="block-size: 500px"></p><b id="row" tabindex="0">Row</b></div>';
  find('sidebar').focus();
  expect(await focusAfter(() => restorer.enterView())).toBe('row');
  expect(find('list').scrollTop).toBeGreaterThan(0);
  const dialog = document.body.appendChild(document.createElement('dialog'));
  dialog.append(button('inside'));
  dialog.showModal();
  find('list').scrollTop = 0;
  expect(await focusAfter(() => dialog.remove())).toBe('row');
  expect(find('list').scrollTop).toBe(0);
});

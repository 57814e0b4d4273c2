import { expect, it, onTestFinished } from 'vitest';
import { loadMessages } from '../../../shared/messages/index.ts';
import { listRowCommands } from './commands.ts';

const t = await loadMessages('en');

function show(html: string): void {
  document.body.innerHTML = html;
  onTestFinished(() => document.body.replaceChildren());
}
const find = (id: string): HTMLElement => document.querySelector<HTMLElement>(`#${id}`) ?? expect.fail(`no ${id}`);
const labels = (): readonly string[] => listRowCommands(t).map(({ label }) => label);

const panel = `<div data-row-actions><button aria-label="Listen to take.wav"></button>
  <button aria-haspopup="menu">More</button><div popover><button role="menuitem">Tags</button></div></div>`;
const row = (isSelected: boolean): string => `<div role="row" id="row" tabindex="0" aria-selected="${isSelected}">
  <span class="name" title="take.wav">take</span>
  <button aria-label="Listen to take.wav"></button><button id="again">Try again</button><button disabled>Cancel</button></div>`;

it('the row that has the focus offers what its buttons do, each once, under its name', () => {
  show(row(false) + panel);
  find('row').focus();
  expect(labels()).toEqual(['Listen to take.wav', 'take.wav: Try again']);
  find('again').focus();
  expect(labels()).toHaveLength(2);
});

it('a selected row also offers what the panel about it and its menu do', () => {
  show(row(true) + panel);
  find('row').focus();
  expect(labels()).toEqual(['Listen to take.wav', 'take.wav: Try again', 'take.wav: Tags']);
});

it('a voice, which is a button of its grid, offers what the panel about it does', () => {
  show(`<button role="gridcell" id="voice" title="Anna" aria-selected="true">Anna</button>${panel}`);
  find('voice').focus();
  expect(labels()).toEqual(['Anna: Listen to take.wav', 'Anna: Tags']);
});

it('nothing is offered without a row, and running an action presses its button', () => {
  show(row(false));
  expect(labels()).toEqual([]);
  let presses = 0;
  find('again').onclick = () => void (presses += 1);
  find('row').focus();
  listRowCommands(t).forEach(({ run }) => run());
  expect(presses).toBe(1);
});

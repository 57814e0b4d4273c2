import type { Page } from 'playwright';
import { scrollTo } from './open-shots.mts';
import type { Shot } from './shots.mts';

const open = async (page: Page) => {
  await page
    .getByRole('navigation')
    .getByTitle(/^(Speech|Vorlesen)$/)
    .click();
  await page.getByRole('textbox', { name: 'Text' }).waitFor();
};
const speak = async (page: Page) => {
  await open(page);
  await page.getByRole('textbox', { name: 'Text' }).press('Control+Enter');
};
const openSentences = async (page: Page) => {
  await open(page);
  await page.getByRole('radio', { name: /^(Sentences|Sätze)$/ }).click();
  await page.getByRole('grid', { name: /^(Sentences|Sätze)$/ }).waitFor();
};
const play = async (page: Page) => {
  await open(page);
  await page.getByText('Welcome aboard').click();
  await page.keyboard.press('Space');
  await page.getByRole('slider', { name: 'Position' }).waitFor();
};
const playMissing = async (page: Page) => {
  await page.route('**/media/**', (route) => route.fulfill({ contentType: 'audio/wav', body: 'no sound' }));
  await open(page);
  await page.getByText('Welcome aboard').click();
  await page.keyboard.press('Space');
  await page
    .getByRole('alert')
    .filter({ hasText: /^Can’t play/ })
    .waitFor();
  await page.unroute('**/media/**');
};
const loop = async (page: Page) => {
  await play(page);
  const position = page.getByRole('slider', { name: 'Position' });
  await page.waitForFunction(
    () => Number(document.querySelector('[aria-valuemax]:not([aria-valuemax="0"])')?.ariaValueMax) > 0,
  );
  const box = (await position.boundingBox()) ?? { width: 0 };
  await position.click({ position: { x: box.width * 0.3, y: 20 } });
  await page.keyboard.press('i');
  await position.click({ position: { x: box.width * 0.6, y: 20 } });
  await page.keyboard.press('o');
  await page.getByRole('button', { name: /^(Speed and loop|Tempo und Wied)/ }).click();
};
const openSide = async (page: Page) => {
  await open(page);
  if ((page.viewportSize()?.width ?? 0) <= 1000)
    await page.getByRole('button', { name: 'Clear fjord' }).first().click();
};
const openDialogue = async (page: Page) => {
  await openSide(page);
  await page.getByRole('button', { name: /^(Pitch and speed|Tonhöhe und Tempo) (of|von) Anna$/ }).click();
};
const openGoneSpeaker = async (page: Page) => {
  await openSide(page);
  await scrollTo(page.getByText(/Quiet harbour master/).last());
};
const openPronunciations = async (page: Page) => {
  await openSide(page);
  // It moves down once the text is divided, from under the pointer.
  await page.getByRole('button', { name: /^(Pronunciation|Aussprache)\s?…$/ }).press('Enter');
  await page.getByRole('dialog', { name: /^(Pronunciation|Aussprache)$/ }).waitFor();
};

const removePronunciation = async (page: Page) => {
  await openPronunciations(page);
  await page.getByRole('button', { name: 'Remove nginx' }).click();
  await page.getByRole('button', { name: 'Undo', exact: true }).waitFor();
};

const openBatch = async (page: Page) => {
  await open(page);
  await page.getByRole('button', { name: /^(Open text|Text öffnen)$/ }).click();
  await page.getByRole('grid', { name: /^(Texts|Texte)$/ }).waitFor();
};
const speakBatch = async (page: Page) => {
  await openBatch(page);
  await page.getByRole('button', { name: /^Speak \d+ texts/ }).click();
};

const openParagraphs = async (page: Page) => {
  await openSide(page);
  await page.getByRole('button', { name: 'A file per paragraph' }).click();
  await page.getByRole('row').first().waitFor();
};

/** The Speech view and its states. */
const sentence = (page: Page, k: number) =>
  page
    .getByRole('grid', { name: /Sentences|Sätze/ })
    .getByRole('row')
    .nth(k);

async function editSentence(page: Page): Promise<void> {
  await openSentences(page);
  await sentence(page, 1).focus();
  await page.keyboard.press('Enter');
  await page.keyboard.press('Shift+ArrowRight');
}

async function openSentenceMenu(page: Page): Promise<void> {
  await openSentences(page);
  await sentence(page, 1)
    .getByRole('button', { name: /^(More for|Mehr zu)/ })
    .click();
}

async function markSentence(page: Page): Promise<void> {
  await openSentenceMenu(page);
  await page.getByRole('menuitemcheckbox', { name: 'Speak again' }).click();
}

export const speechShots: readonly Shot[] = [
  { name: 'speech', scene: 'speech', isView: true, act: open },
  { name: 'speech-empty', scene: 'speech-empty', act: open },
  { name: 'speech-german', repeats: true, scene: 'speech-german', act: open },
  { name: 'speech-remote', scene: 'speech-remote', act: openSide },
  { name: 'speech-handed-over', repeats: true, scene: 'speech-remote', act: speak },
  { name: 'speech-book', scene: 'speech-book', act: open },
  { name: 'speech-large', scene: 'speech-large', act: open },
  { name: 'speech-sentences', scene: 'speech-book', act: openSentences },
  { name: 'speech-sentences-german', repeats: true, scene: 'speech-german', act: openSentences },
  { name: 'speech-sentence-edited', scene: 'speech-book', act: editSentence },
  { name: 'speech-sentence-edited-german', repeats: true, scene: 'speech-german', act: editSentence },
  { name: 'speech-sentence-menu', isMirrored: true, scene: 'speech-book', act: openSentenceMenu },
  { name: 'speech-sentence-again', scene: 'speech-book', act: markSentence },
  { name: 'speech-dialogue', scene: 'speech-dialogue', act: openDialogue },
  { name: 'speech-speaker-gone', scene: 'speech-dialogue', act: openGoneSpeaker },
  { name: 'speech-dialogue-sentences', scene: 'speech-dialogue', act: openSentences },
  { name: 'speech-dialogue-german', repeats: true, scene: 'speech-dialogue-german', act: openDialogue },
  { name: 'speech-pronunciation', scene: 'speech-pronunciation', act: openPronunciations },
  { name: 'speech-pronunciation-removed', scene: 'speech-pronunciation', act: removePronunciation },
  { name: 'speech-pronunciation-empty', scene: 'speech', act: openPronunciations },
  { name: 'speech-pronunciation-german', repeats: true, scene: 'speech-pronunciation-german', act: openPronunciations },
  { name: 'speech-all-spoken', scene: 'speech-all-spoken', act: openSentences },
  { name: 'speech-batch', scene: 'speech-batch', act: openBatch },
  { name: 'speech-batch-german', repeats: true, scene: 'speech-batch-german', act: openBatch },
  { name: 'speech-batch-added', repeats: true, scene: 'speech-batch', act: speakBatch },
  { name: 'speech-batch-chapters', repeats: true, scene: 'speech-batch-chapters', act: openBatch },
  { name: 'speech-paragraphs', scene: 'speech-paragraphs', act: openParagraphs },
  { name: 'speech-subtitles', scene: 'speech-subtitles', act: open },
  { name: 'speech-no-voice', scene: 'speech-no-voice', act: open },
  { name: 'speech-loading', scene: 'speech-loading', act: open },
  { name: 'speech-refused', scene: 'speech-refused', act: speak },
  { name: 'speech-arabic', repeats: true, scene: 'speech-arabic', act: open },
  { name: 'speech-playing', scene: 'speech', act: play },
  { name: 'speech-unplayable', scene: 'speech', act: playMissing },
  { name: 'speech-loop', scene: 'speech', act: loop },
  { name: 'speech-loop-german', repeats: true, scene: 'speech-german', act: loop },
];

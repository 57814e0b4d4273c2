import type { CliMessages } from '../shared/messages/cli.ts';

interface Page {
  readonly page: number;
  readonly pages: number;
  readonly shown: number;
  readonly total: number;
}

/** Which page of a list is shown, and how to see the next. */
export const pageText = (page: Page, { cli, format }: CliMessages): string =>
  format.sentences(cli.page(page), page.page < page.pages ? cli.nextPage({ page: page.page + 1 }) : '');

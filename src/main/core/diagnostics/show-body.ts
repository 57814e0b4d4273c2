import type { ShownBody } from '../../../shared/wire/console.ts';
import { detectFormat } from '../../../sound/detect-format.ts';
import type { RecordedBody } from '../voice-service/recorded-http.ts';
import { prettyJson, withUsualStrings } from './pretty-json.ts';
import { struck, type Secrets } from '../secrets/strike-secrets.ts';

/** Far below what one message of the bridge may hold, in any script. */
const maxCharacters = 20_000;

/** A signature stands in an address, behind the question mark or before the host: it is as good as a token. */
export const withoutSignatures = (text: string): string =>
  text
    .replace(/\b(https?:\/\/)[^\s"'<>/@]+@/gi, `$1${struck}@`)
    .replace(/\b(https?:\/\/[^\s"'<>?#]+\?)[^\s"'<>]+/gi, `$1${struck}`);

/** The text in these bytes, of which the last character may be cut; null where they are none. */
function textOf(bytes: Buffer, contentType: string): string | null {
  const isSaid = /^(text\/|application\/([\w.-]+\+)?(json|xml))/i.test(contentType);
  try {
    const text = new TextDecoder('utf-8', { fatal: !isSaid }).decode(bytes, { stream: true });
    return isSaid || !text.includes('\0') ? text : null;
  } catch {
    return null;
  }
}

/** What no line of text needs, and a screen might obey. */
const withoutControls = (text: string): string => text.replace(/\r\n?/g, '\n').replace(/[^\P{Cc}\n\t]/gu, '\ufffd');

interface From {
  readonly contentType: string;
  readonly secrets: Secrets;
  /** A service's own words may hold addresses that are secrets of theirs. */
  readonly isReply: boolean;
}

/** A body as a page may see it: told by its kind, without secrets, and no longer than a message may be. */
export function showBody({ head, sizeBytes }: RecordedBody, { contentType, secrets, isReply }: From): ShownBody {
  const none = { text: '', format: '', sizeBytes, isCut: false };
  if (sizeBytes === 0) return { kind: 'empty', ...none };
  const bytes = Buffer.concat(head);
  if (/^multipart\//i.test(contentType)) {
    const partHead = bytes.toString('utf8').split('\r\n\r\n')[0] ?? '';
    return { kind: 'part', ...none, text: withoutControls(secrets.strike(partHead)).slice(0, maxCharacters) };
  }
  const format = detectFormat(bytes);
  if (/^audio\//i.test(contentType)) {
    return { kind: 'audio', ...none, format: format ?? secrets.strike(contentType.slice(6).split(';')[0] ?? '') };
  }
  const raw = textOf(bytes, contentType);
  if (raw === null) return format ? { kind: 'audio', ...none, format } : { kind: 'bytes', ...none };
  const isKeptWhole = bytes.length === sizeBytes;
  const pretty = isKeptWhole ? prettyJson(raw) : null;
  const said = secrets.strike(pretty ?? withUsualStrings(raw));
  // What was not kept may have begun with the rest of a secret.
  const sure = isKeptWhole ? said : said.slice(0, Math.max(0, said.length - secrets.longest));
  const text = withoutControls(isReply ? withoutSignatures(sure) : sure);
  return {
    kind: pretty === null ? 'text' : 'json',
    ...none,
    text: text.slice(0, maxCharacters).toWellFormed(),
    isCut: !isKeptWhole || text.length > maxCharacters,
  };
}

import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export interface SeenRequest {
  readonly method: string;
  readonly url: string;
  readonly range: string | null;
  readonly cookie: string | null;
  readonly origin: string | null;
  readonly referer: string | null;
}

/** A ten-minute tone, 8 kHz, mono, 16 bit: long enough that seeking needs a range request. */
const wav = createWav(8000, 600);

/** Handles requests to app://timbre/. */
export async function answerRequest(
  request: Request,
  directory: string,
  seen: { requests: SeenRequest[]; cancelled: number },
): Promise<Response> {
  const { method, url, headers } = request;
  const { pathname } = new URL(url);
  const header = (name: string) => headers.get(name);
  const [range, cookie] = [header('range'), header('cookie')];
  seen.requests.push({ method, url, range, cookie, origin: header('origin'), referer: header('referer') });
  if (pathname === '/tone.wav') return sendAudio(range);
  if (pathname === '/stream') return sendStream(() => (seen.cancelled += 1));
  if (pathname === '/throw') throw new Error('the handler failed');
  if (pathname === '/echo') return new Response(await request.text());
  if (pathname === '/lasting') return new Response('x', { headers: { 'cache-control': 'max-age=3600' } });
  if (pathname === '/redirect') return Response.redirect('app://timbre/page.html', 302);
  const policy =
    "default-src 'self' app: 'unsafe-inline'; connect-src 'self' app://timbre; img-src 'none'; frame-src *";
  if (pathname === '/') return sendPage(directory, { 'content-security-policy': policy });
  if (pathname === '/page.html') return sendPage(directory, {});
  const file = join(directory, pathname);
  return existsSync(file) ? new Response(readFileSync(file)) : new Response('not found', { status: 404 });
}

function sendPage(directory: string, headers: Record<string, string>): Response {
  return new Response(readFileSync(join(directory, 'page.html')), {
    headers: { 'content-type': 'text/html', ...headers },
  });
}

function sendAudio(range: string | null): Response {
  const headers = { 'content-type': 'audio/wav', 'accept-ranges': 'bytes' };
  const [, from, to] = /bytes=(\d+)-(\d*)/.exec(range ?? '') ?? [];
  if (from === undefined) return new Response(wav, { headers: { ...headers, 'content-length': String(wav.length) } });
  const last = to ? Number(to) : wav.length - 1;
  return new Response(wav.subarray(Number(from), last + 1), {
    status: 206,
    headers: {
      ...headers,
      'content-range': `bytes ${from}-${last}/${wav.length}`,
      'content-length': String(last + 1 - Number(from)),
    },
  });
}

function sendStream(onCancel: () => void): Response {
  let timer: NodeJS.Timeout | undefined;
  const body = new ReadableStream({
    start(controller) {
      timer = setInterval(() => controller.enqueue(new TextEncoder().encode('chunk\n')), 20);
    },
    cancel() {
      clearInterval(timer);
      onCancel();
    },
  });
  return new Response(body);
}

function createWav(sampleRate: number, seconds: number): Buffer<ArrayBuffer> {
  const samples = sampleRate * seconds;
  const bytes = Buffer.alloc(44 + samples * 2);
  bytes.write('RIFF', 0);
  bytes.writeUInt32LE(36 + samples * 2, 4);
  bytes.write('WAVEfmt ', 8);
  bytes.writeUInt32LE(16, 16);
  bytes.writeUInt16LE(1, 20);
  bytes.writeUInt16LE(1, 22);
  bytes.writeUInt32LE(sampleRate, 24);
  bytes.writeUInt32LE(sampleRate * 2, 28);
  bytes.writeUInt16LE(2, 32);
  bytes.writeUInt16LE(16, 34);
  bytes.write('data', 36);
  bytes.writeUInt32LE(samples * 2, 40);
  for (let i = 0; i < samples; i += 1) bytes.writeInt16LE(Math.sin(i / 5) * 8000, 44 + i * 2);
  return bytes;
}

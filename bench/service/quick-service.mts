// A service that takes no time: what is measured before it is the client. Its one argument is the result's file.
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

const result = readFileSync(process.argv[2] ?? '');
let tasks = 0;

const server = createServer((request, response) => {
  const { url = '', headers } = request;
  const json = (body: unknown) => response.setHeader('content-type', 'application/json').end(JSON.stringify(body));
  request.resume().once('end', () => {
    if (url.startsWith('/api/createaudiofilechanger')) json({ message: 'Created.', taskId: `task-${(tasks += 1)}` });
    else if (url.startsWith('/api/uploadaudiofile/')) json({ message: 'Uploaded.', uuid: url.split('/').at(-1) });
    else if (url.startsWith('/api/changeaudiofile')) {
      const audioUrl = `http://${headers.host ?? ''}/result.wav`;
      json({ status: 'success', message: 'Converted.', data: { audioUrl, processingTime: 0 } });
    } else response.writeHead(200, { 'content-type': 'audio/wav', 'content-length': result.length }).end(result);
  });
});
server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port));
process.once('disconnect', () => process.exit());

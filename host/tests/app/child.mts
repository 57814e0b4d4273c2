// A utility process that replies to messages, and exits with 3 on request.
const { parentPort } = process as unknown as { parentPort: Electron.ParentPort };

parentPort.on('message', ({ data }: Electron.MessageEvent) => {
  if (data === 'end') process.exit(3);
  parentPort.postMessage({
    got: data as unknown,
    bytes: new Uint8Array(3),
    map: new Map([[1, 2]]),
    argv: process.argv.slice(2),
  });
});

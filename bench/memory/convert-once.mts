// One conversion in the engine's threads and then the end: `node bench/memory/convert-once.mts INPUT OUTPUT`.
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { root } from '../../scripts/root.mts';
import { catalogue } from '../../src/engine/catalogue.ts';
import { createVoiceChanger } from '../../src/engine/voice-changer.ts';

const [inputPath = '', outputPath = ''] = process.argv.slice(2);
const [voice] = catalogue;
if (!voice) throw new Error('the engine has no voice');
const workerUrl = pathToFileURL(join(root, 'out/main/voice-worker.js'));
const voiceChanger = createVoiceChanger({ workerUrl });
const change = { pitch: 1, speed: 1, autoF0: true, formantsFollowPitch: false };
await voiceChanger.convert({ inputPath, outputPath, format: 'mp3', voice, change, quality: 'fine' });
await voiceChanger.stop();

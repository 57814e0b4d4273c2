// Runs one of the scripts beside it: `node scripts/run.cjs start`. Plain old JavaScript, so that an old Node gets a sentence
// instead of a syntax error. npm puts the Node 24 of our packages first on the path where there is one for the system.
const [, , task] = process.argv;
const [major] = process.versions.node.split('.').map(Number);

if (major < 24) {
  console.error(
    `Timbre runs on Node 24 or newer, and this is Node ${process.versions.node}.\n` +
      'Run "npm ci" once: it brings the right one on Linux and Windows. On macOS install it from nodejs.org.',
  );
  process.exit(1);
}
process.argv.splice(1, 2, `${__dirname}/${task}.mts`);
import(`./${task}.mts`).catch((error) => {
  console.error(error);
  process.exit(1);
});

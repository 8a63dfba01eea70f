// Compiles on every change and restarts the server after each compile without errors. The server is one child
// process: it gets SIGINT, at which it does not drain. It has ended before the next one starts, and before this
// process ends.
import { spawn } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { sourceDigest, STAMP } from './source-digest.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const dist = join(root, 'dist');
let server;
let ended = Promise.resolve();
let waiting = false;
let stopping = false;
let compiled;

function start() {
  // In a process group of its own the server gets no Ctrl-C of the terminal beside the SIGINT sent below.
  const child = spawn(process.execPath, [join(dist, 'src/main.js')], { stdio: 'inherit', detached: true });
  server = child;
  ended = new Promise((resolve) => child.once('exit', resolve)).then((code) => {
    server = undefined;
    if (!waiting && !stopping) console.error(`The server ended (${code}); the next change starts it again.`);
  });
}

async function restart() {
  // Compiles that finish while the old server ends share one start.
  if (waiting) return;
  waiting = true;
  server?.kill('SIGINT');
  await ended;
  waiting = false;
  if (!stopping) start();
}

/** A second signal is passed on too. The server then ends at once. */
async function stop() {
  if (stopping || !waiting) server?.kill('SIGINT');
  stopping = true;
  await ended;
  process.exit(0);
}

function onStatus({ messageText }, _newLine, _options, errors) {
  console.error(ts.flattenDiagnosticMessageText(messageText, '\n'));
  if (errors === undefined) compiled = sourceDigest();
  if (errors !== 0) return;
  // The file that scripts/build.mjs checks, so that it does not compile again.
  writeFileSync(join(dist, STAMP), compiled);
  void restart();
}

const format = { ...ts.sys, getCanonicalFileName: (name) => name, getNewLine: () => '\n' };
const onError = (error) => process.stderr.write(ts.formatDiagnosticsWithColorAndContext([error], format));
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => void stop());
process.on('exit', () => server?.kill('SIGINT'));
rmSync(dist, { recursive: true, force: true });
const config = join(root, 'tsconfig.build.json');
ts.createWatchProgram(ts.createWatchCompilerHost(config, {}, ts.sys, undefined, onError, onStatus));

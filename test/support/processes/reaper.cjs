// Ends what a test run leaves behind when it is interrupted, in whatever way: its programs, their PostgreSQL, and its
// folder. It is a process of its own, which a Ctrl-C does not reach, and which learns from a pipe that the run has
// ended.
const { spawn } = require('node:child_process');
const { readdirSync, readFileSync, readlinkSync, rmSync } = require('node:fs');
const { basename } = require('node:path');
const { setTimeout: sleep } = require('node:timers/promises');

/** How often it looks whether PostgreSQL has stopped, in ms, and how many times before it ends it by force. */
const PAUSE = 100;
const PATIENCE = 50;

/** Removes `folder`, and ends the processes that use it, once this process has ended. */
function reapAfterwards(folder) {
  const reaper = spawn(process.execPath, [__filename, folder], {
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  reaper.unref();
  reaper.stdin.unref();
}

function read(pid, what, how) {
  try {
    return how(`/proc/${pid}/${what}`);
  } catch {
    return '';
  }
}

/** The processes that work in `folder` or were started with a path in it. Only Linux tells. */
function usersOf(folder) {
  let names = [];
  try {
    names = readdirSync('/proc');
  } catch {
    return [];
  }
  return names
    .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
    .map((pid) => ({
      pid: Number(pid),
      isPostgres: basename(read(pid, 'exe', readlinkSync)) === 'postgres',
      places: [
        read(pid, 'cwd', readlinkSync),
        ...read(pid, 'cmdline', (path) => readFileSync(path, 'utf8')).split('\0'),
      ],
    }))
    .filter(({ places }) => places.some((place) => place === folder || place.startsWith(`${folder}/`)));
}

function kill(pid, signal) {
  try {
    process.kill(pid, signal);
  } catch {
    // It has ended.
  }
}

async function reap(folder) {
  for (let round = 0; ; round += 1) {
    const users = usersOf(folder);
    if (users.length === 0) break;
    // Programs first: they would bring their PostgreSQL back. SIGQUIT lets it remove its shared memory.
    for (const { pid, isPostgres } of users) {
      if (!isPostgres || round === PATIENCE) kill(pid, 'SIGKILL');
      else if (round === 0) kill(pid, 'SIGQUIT');
    }
    await sleep(PAUSE);
  }
  rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: PAUSE });
}

module.exports = { reapAfterwards };

if (require.main === module) {
  const [, , folder] = process.argv;
  process.stdin.resume().on('close', () => void reap(folder));
}

// A shell into which a reader types the commands of a document.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { randomUUID } from 'node:crypto';

const LONGEST = 120_000;

/** Each answer is a line of its own; `$FAIL` is an option of curl. */
const CURL = `FAIL=; curl() { command curl $FAIL -w '\\n' "$@"; }`;

/** A command that fails ends the shell, and so does an answer of 400 or more. */
const STRICT = 'set -e; FAIL=--fail-with-body';

/** What a command is told of the one before. */
const LENIENT = 'set +e; FAIL=; (exit ${status:-0})';

export class Shell {
  constructor({ cwd, env }) {
    const options = { cwd, env: { ...process.env, ...env }, detached: true };
    this.child = spawn('bash', ['-u', '-o', 'pipefail'], options);
    this.ended = once(this.child, 'close').then(() => undefined);
    this.output = '';
    for (const stream of [this.child.stdout, this.child.stderr])
      stream.setEncoding('utf8').on('data', (text) => (this.output += text));
    this.child.stdin.write(`${CURL}\n`);
  }

  /** @returns what the commands print @throws it where one of them fails, unless they may */
  async run(script, { mayFail = false } = {}) {
    const end = randomUUID();
    this.output = '';
    const before = mayFail ? LENIENT : STRICT;
    this.child.stdin.write(`${before}\n{\n${script}\n} < /dev/null 2>&1\nstatus=$?; printf '%s\\n' ${end}\n`);
    const timer = setTimeout(() => this.end(), LONGEST);
    while (!this.output.includes(end)) {
      const hasMore = await Promise.race([once(this.child.stdout, 'data'), this.ended]);
      if (hasMore === undefined) throw new Error(`it failed:\n${script}\n${this.output}`);
    }
    clearTimeout(timer);
    return this.output.slice(0, this.output.indexOf(end));
  }

  end() {
    if (this.child.exitCode === null && this.child.signalCode === null)
      process.kill(-this.child.pid, 'SIGKILL');
  }
}

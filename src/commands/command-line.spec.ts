import { Readable, Writable } from 'node:stream';
import { parseSettings } from '../settings/settings.js';
import type { CommandProcess } from './command-context.js';
import { CommandOutput } from './command-output.js';
import { createProgram, runCommand } from './command-line.js';

/** Every command, with the arguments that it needs. */
const COMMANDS = [
  'start',
  'migrate',
  'apply -',
  'export --account acme',
  'account list',
  'client create --account acme --name A',
  'client list --account acme',
  'client rotate x',
  'client revoke x',
  'console link --account acme --email a@acme.test',
  'simulate --account acme --router R --file x',
  'import --account acme --type contacts --file x.csv --key email',
  'records export --account acme --type contacts',
  'check',
  'dump x',
  'load x',
];

/** A stream into `texts`. */
const into = (texts: string[]): Writable =>
  new Writable({
    decodeStrings: false,
    write(text: string, _, done) {
      if (text !== '') texts.push(text.trimEnd());
      done();
    },
  });

/** A process in an invalid environment, and all that it prints. */
function failing(): { process: CommandProcess; stdout: string[]; stderr: string[] } {
  const [stdout, stderr]: [string[], string[]] = [[], []];
  const process = {
    settings: () => Promise.resolve({ PORT: '-1' }).then(parseSettings),
    stdin: () => Readable.from([]),
    stdout: into(stdout),
    stderr: into(stderr),
  };
  return { process, stdout, stderr };
}

async function run(args: string): Promise<{ code: number; stdout: string[]; stderr: string[] }> {
  const { process, stdout, stderr } = failing();
  return { code: await runCommand(args.split(' '), process), stdout, stderr };
}

const message = "unknown option '--colour'";
const document = { error: { message, errors: [{ path: null, line: null, message }] } };

describe('a command that fails', () => {
  it.each(COMMANDS)(
    'prints one document with --json, wherever that stands: %s [contract 5]',
    async (command) => {
      for (const args of [
        `${command} --colour --json`,
        `${command} --json --colour`,
        `--json ${command} --colour`,
      ]) {
        const { code, stdout, stderr } = await run(args);
        expect({ code, stderr }).toEqual({ code: 1, stderr: [`error: ${message}`] });
        expect(stdout).toHaveLength(1);
        expect(JSON.parse(stdout[0]!)).toEqual(document);
      }
    },
  );

  it.each(COMMANDS)('prints nothing on standard output without --json: %s [contract 5]', async (command) => {
    expect(await run(`${command} --colour`)).toEqual({ code: 1, stdout: [], stderr: [`error: ${message}`] });
  });

  it.each(COMMANDS.filter((command) => !command.startsWith('apply')))(
    'names each variable of an invalid environment: %s [contract 5]',
    async (command) => {
      const { code, stdout } = await run(`${command} --json`);
      expect(code).toBe(1);
      const rule = 'PORT must be a whole number from 0 to 65535 (it is "-1")';
      expect(JSON.parse(stdout[0]!)).toEqual({
        error: {
          message: `Invalid environment:\n  - ${rule}`,
          errors: [{ path: 'PORT', line: null, message: rule }],
        },
      });
    },
  );

  it('is one of all that there are', () => {
    const { process } = failing();
    const output = new CommandOutput(process.stdout, process.stderr);
    const { commands } = createProgram(process, { extensions: [], output });
    const names = commands.flatMap((each) =>
      each.commands.length === 0
        ? [each.name()]
        : each.commands.map((part) => `${each.name()} ${part.name()}`),
    );
    expect(names.every((name) => COMMANDS.some((command) => command.startsWith(name)))).toBe(true);
    expect(names).toHaveLength(COMMANDS.length);
  });
});

it('a command that has printed its result prints no second document when it fails then [contract 5]', () => {
  const { process, stdout, stderr } = failing();
  const output = new CommandOutput(process.stdout, process.stderr);
  output.json = true;
  output.print({ client_secret: 'once' }, []);
  expect(output.fail(new Error('The connection was lost'))).toBe(1);
  expect(stdout.map((text) => JSON.parse(text))).toEqual([{ client_secret: 'once' }]);
  expect(stderr).toEqual(['The connection was lost']);
});

it.each([
  ['aply file.yaml', "unknown command 'aply'\n(Did you mean apply?)"],
  ['client rotat x', "unknown command 'rotat'\n(Did you mean rotate?)"],
  ['apply - --dryrun', "unknown option '--dryrun'\n(Did you mean --dry-run?)"],
])('says what may be meant by %s [contract 5]', async (args, meant) => {
  const { code, stdout, stderr } = await run(`${args} --json`);
  expect({ code, stderr }).toEqual({ code: 1, stderr: [`error: ${meant}`] });
  expect(JSON.parse(stdout[0]!)).toMatchObject({ error: { message: meant } });
});

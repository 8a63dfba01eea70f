import { parseSettings, type Settings } from '../settings/settings.js';
import { CommandOutput } from './command-output.js';
import { createProgram } from './create-program.js';

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
  'simulate --account acme --router R --file x',
  'import --account acme --type contacts --file x.csv --key email',
  'records export --account acme --type contacts',
  'assignments delete --account acme --older-than 62',
  'check',
  'backup x',
  'restore x',
  'dump x',
  'load x',
  'upgrade --old-binaries x',
];

/** Returns what reads the settings of an environment. */
const reading =
  (environment: Record<string, string>): (() => Promise<Settings>) =>
  () =>
    Promise.resolve(environment).then(parseSettings);

/** A command line in an invalid environment, and all that it prints. */
async function run(args: string): Promise<{ code: number; stdout: string[]; stderr: string[] }> {
  const [stdout, stderr]: [string[], string[]] = [[], []];
  const spies = [
    jest.spyOn(console, 'log').mockImplementation((line) => void stdout.push(String(line))),
    jest.spyOn(console, 'error').mockImplementation((line) => void stderr.push(String(line))),
    jest.spyOn(process.stderr, 'write').mockImplementation((text) => stderr.push(String(text).trimEnd()) > 0),
  ];
  const output = new CommandOutput();
  const program = createProgram(reading({ PORT: '-1' }), { extensions: [], output });
  try {
    await program.parseAsync(args.split(' '), { from: 'user' });
    throw new Error('The command has succeeded');
  } catch (error) {
    return { code: output.fail(error), stdout, stderr };
  } finally {
    for (const spy of spies) spy.mockRestore();
  }
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
    const { commands } = createProgram(reading({}), {
      extensions: [],
      output: new CommandOutput(),
    });
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
  const lines: string[] = [];
  const log = jest.spyOn(console, 'log').mockImplementation((line) => void lines.push(String(line)));
  const error = jest.spyOn(console, 'error').mockReturnValue(undefined);
  const output = new CommandOutput();
  output.json = true;
  output.print({ client_secret: 'once' }, []);
  expect(output.fail(new Error('The connection was lost'))).toBe(1);
  expect(lines.map((line) => JSON.parse(line))).toEqual([{ client_secret: 'once' }]);
  expect(error).toHaveBeenCalledWith('The connection was lost');
  log.mockRestore();
  error.mockRestore();
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

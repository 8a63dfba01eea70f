import { Command, InvalidArgumentError } from 'commander';
import { parseInstant } from '../time/parse-instant.js';
import type { VersionChoice } from '../routers/index.js';
import type { CommandContext } from './command-context.js';
import type { Simulation } from './simulate.action.js';

/**
 * `simulate`: replays a file of records with a router and prints how many records each user would get. Writes
 * nothing.
 */
export function simulateCommand(context: CommandContext): Command {
  return new Command('simulate')
    .description('replay records through a router and print the distribution; nothing is written')
    .requiredOption('--account <slug>', 'the account')
    .requiredOption('--router <name>', 'the router')
    .requiredOption(
      '--file <records.ndjson>',
      'a record a line: its fields, or {"fields": {...}}; - for standard input',
    )
    .option('--at <instant>', 'the instant to decide at (ISO 8601); now unless given', readInstant)
    .option('--version <version>', 'live, draft or a number; live unless given', readVersion)
    .action(async (options: Simulation) => {
      const { simulate } = await import('./simulate.action.js');
      await simulate(context, options);
    });
}

function readInstant(text: string): Date {
  const time = parseInstant(text);
  if (time === undefined) throw new InvalidArgumentError('It must be an ISO 8601 date and time.');
  return new Date(time);
}

function readVersion(text: string): VersionChoice {
  if (text === 'live' || text === 'draft') return text;
  if (!/^[1-9]\d{0,8}$/.test(text))
    throw new InvalidArgumentError('It must be live, draft or the number of a version.');
  return Number(text);
}

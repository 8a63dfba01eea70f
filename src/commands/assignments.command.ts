import { Command } from 'commander';
import { LEAST_RETENTION, MOST_RETENTION } from '../settings/retention.js';
import type { DeleteFlags } from './assignments.action.js';
import type { CommandContext } from './command-context.js';
import { wholeNumber } from './whole-number.js';

/** `assignments delete`: deletes the old entries of an account's assignment log. */
export function assignmentsCommand(context: CommandContext): Command {
  const deleted = new Command('delete')
    .description('delete the old entries of the assignment log of an account')
    .requiredOption('--account <slug>', 'the account')
    .requiredOption(
      '--older-than <days>',
      `the least age of what is deleted, ${LEAST_RETENTION} to ${MOST_RETENTION}`,
      wholeNumber('days', LEAST_RETENTION, MOST_RETENTION),
    )
    .option('--dry-run', 'delete nothing; print how many there are, and exit with 2 where there are any')
    .action(async (flags: DeleteFlags) => {
      const { deleteAssignments } = await import('./assignments.action.js');
      await deleteAssignments(context, flags);
    });
  return new Command('assignments').description('the assignment log').addCommand(deleted);
}

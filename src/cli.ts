import 'reflect-metadata';
import { CommanderError } from 'commander';
import { createProgram } from './commands/create-program.js';
import { readSettings } from './settings/read-settings.js';

createProgram(readSettings)
  .parseAsync()
  .then(
    () => process.exit(process.exitCode ?? 0),
    (error: unknown) => {
      // Commander has already printed its own complaint, or the help that was asked for.
      if (error instanceof CommanderError) process.exit(error.exitCode);
      console.error(error instanceof Error ? error.message : error);
      process.exit(1);
    },
  );

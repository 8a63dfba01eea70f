import { existsSync } from 'node:fs';
import { parseSettings, type Settings } from './settings.js';

/**
 * Reads and validates the process environment. If the working directory has a file `.env`, it is read first;
 * variables that are already set have precedence.
 * @throws Error with the name and the rule of each invalid variable
 */
export function readSettings(): Settings {
  if (existsSync('.env')) process.loadEnvFile('.env');
  return parseSettings(process.env);
}

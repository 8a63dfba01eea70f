import { existsSync } from 'node:fs';
import { parseSettings, type Settings } from './settings.js';

/**
 * Reads and validates the environment of the process. Loads `.env` of the working directory first, if it
 * exists; variables that are set already win.
 * @throws Error with one line for each invalid variable, naming it and its rule
 */
export function readSettings(): Settings {
  if (existsSync('.env')) process.loadEnvFile('.env');
  return parseSettings(process.env);
}

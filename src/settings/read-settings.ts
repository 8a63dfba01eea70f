import { environment } from './environment.js';
import { parseSettings, type Settings } from './settings.js';

/**
 * Reads and validates the environment of the process, and `.env` of the working directory.
 * @throws Error with one line for each invalid variable, naming it and its rule
 */
export function readSettings(): Settings {
  return parseSettings(environment());
}

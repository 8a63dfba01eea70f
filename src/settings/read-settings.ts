import { existsSync } from 'node:fs';
import { parseSettings, type Settings } from './settings.js';

/**
 * Reads and validates the process environment, after `.env` of the working directory where there is one
 * (variables that are already set win).
 * @throws Error naming each offending variable and its rule.
 */
export function readSettings(): Settings {
  if (existsSync('.env')) process.loadEnvFile('.env');
  return parseSettings(process.env);
}

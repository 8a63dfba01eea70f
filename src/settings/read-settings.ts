import { existsSync } from 'node:fs';
import { parseSettings, type Settings } from './settings.js';

/** Where OpenTelemetry sends traces, by its standard environment. */
const ENDPOINTS = ['OTEL_EXPORTER_OTLP_ENDPOINT', 'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT'];

/**
 * Reads and validates the environment of the process, and `.env` of the working directory.
 * @throws Error with one line for each invalid variable, naming it and its rule
 */
export function readSettings(): Settings {
  return parseSettings(environment());
}

/**
 * Whether the standard environment of OpenTelemetry asks for traces: an endpoint is set, and neither
 * `OTEL_SDK_DISABLED` nor `OTEL_TRACES_EXPORTER=none`. The libraries of OpenTelemetry read their variables
 * themselves.
 */
export function wantsTelemetry(): boolean {
  const given = environment();
  if (given['OTEL_SDK_DISABLED']?.toLowerCase() === 'true' || given['OTEL_TRACES_EXPORTER'] === 'none')
    return false;
  return ENDPOINTS.some((name) => (given[name] ?? '') !== '');
}

/** Loads `.env` of the working directory, if it exists; variables that are set already win. */
function environment(): NodeJS.ProcessEnv {
  if (existsSync('.env')) process.loadEnvFile('.env');
  return process.env;
}

import { existsSync } from 'node:fs';

/** Where OpenTelemetry sends traces, by its standard environment. */
const ENDPOINTS = ['OTEL_EXPORTER_OTLP_ENDPOINT', 'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT'];

/** Loads `.env` of the working directory, if it exists; variables that are set already win. */
export function environment(): NodeJS.ProcessEnv {
  if (existsSync('.env')) process.loadEnvFile('.env');
  return process.env;
}

/**
 * Whether the standard environment of OpenTelemetry asks for traces: an endpoint is set, and neither
 * `OTEL_SDK_DISABLED` nor `OTEL_TRACES_EXPORTER=none`. The libraries of OpenTelemetry read their variables
 * themselves. It is asked before anything that they measure is loaded, so this file loads nothing.
 */
export function wantsTelemetry(): boolean {
  const given = environment();
  if (given['OTEL_SDK_DISABLED']?.toLowerCase() === 'true' || given['OTEL_TRACES_EXPORTER'] === 'none')
    return false;
  return ENDPOINTS.some((name) => (given[name] ?? '') !== '');
}

import { existsSync } from 'node:fs';

/** Where OpenTelemetry sends traces, by its standard environment. */
const ENDPOINTS = ['OTEL_EXPORTER_OTLP_ENDPOINT', 'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT'];

/**
 * Whether the standard environment of OpenTelemetry asks for traces: an endpoint is set, and neither
 * `OTEL_SDK_DISABLED` nor `OTEL_TRACES_EXPORTER=none`. Loads `.env` as `readSettings` does: the libraries of
 * OpenTelemetry read their variables themselves.
 */
export function wantsTelemetry(): boolean {
  if (existsSync('.env')) process.loadEnvFile('.env');
  const { OTEL_SDK_DISABLED: disabled, OTEL_TRACES_EXPORTER: exporter } = process.env;
  if (disabled?.toLowerCase() === 'true' || exporter === 'none') return false;
  return ENDPOINTS.some((name) => (process.env[name] ?? '') !== '');
}

import type { IncomingMessage } from 'node:http';
import { createRequire } from 'node:module';
import type { Span } from '@opentelemetry/api';
import type * as Exporter from '@opentelemetry/exporter-trace-otlp-http';
import type * as Instrumentation from '@opentelemetry/instrumentation';
import type * as Http from '@opentelemetry/instrumentation-http';
import type * as Pg from '@opentelemetry/instrumentation-pg';
import type * as Resources from '@opentelemetry/resources';
import type * as Sdk from '@opentelemetry/sdk-trace-node';
import { wantsTelemetry } from '../settings/environment.js';

/** What an install has only where somebody wants traces: 34 MB, and nobody else should have them. */
const INSTALL =
  'npm install @opentelemetry/api@1.9 @opentelemetry/sdk-trace-node@2 @opentelemetry/resources@2 ' +
  '@opentelemetry/exporter-trace-otlp-http@0.223 @opentelemetry/instrumentation@0.223 ' +
  '@opentelemetry/instrumentation-http@0.223 @opentelemetry/instrumentation-pg@0.75';

/** Asked every few seconds, by load balancers. */
const UNTRACED = /^\/health\//;

let provider: Sdk.NodeTracerProvider | undefined;

/**
 * Sends traces of requests and of their statements where the standard environment of OpenTelemetry asks for
 * them; otherwise nothing of it is loaded. Must be called before `pg` is loaded. The values of statements,
 * bodies and headers are not sent.
 */
export function startTelemetry(): void {
  if (!wantsTelemetry()) return;
  try {
    provider = tracerProvider(createRequire(__filename));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'MODULE_NOT_FOUND') throw error;
    console.error(`No traces are sent: OTEL_EXPORTER_OTLP_ENDPOINT is set, but this needs\n  ${INSTALL}`);
  }
}

/** Sends what is left. */
export async function stopTelemetry(): Promise<void> {
  await provider?.shutdown().catch(() => undefined);
}

function tracerProvider(load: (name: string) => unknown): Sdk.NodeTracerProvider {
  const { NodeTracerProvider, BatchSpanProcessor } = load('@opentelemetry/sdk-trace-node') as typeof Sdk;
  const resources = load('@opentelemetry/resources') as typeof Resources;
  const { OTLPTraceExporter } = load('@opentelemetry/exporter-trace-otlp-http') as typeof Exporter;
  const { registerInstrumentations } = load('@opentelemetry/instrumentation') as typeof Instrumentation;
  const { HttpInstrumentation } = load('@opentelemetry/instrumentation-http') as typeof Http;
  const { PgInstrumentation } = load('@opentelemetry/instrumentation-pg') as typeof Pg;
  const { defaultResource, detectResources, envDetector, resourceFromAttributes } = resources;
  const tracerProvider = new NodeTracerProvider({
    // OTEL_SERVICE_NAME and OTEL_RESOURCE_ATTRIBUTES win.
    resource: defaultResource()
      .merge(resourceFromAttributes({ 'service.name': 'fairlead' }))
      .merge(detectResources({ detectors: [envDetector] })),
    spanProcessors: [new BatchSpanProcessor(new OTLPTraceExporter())],
  });
  tracerProvider.register();
  registerInstrumentations({
    tracerProvider,
    instrumentations: [
      new HttpInstrumentation({
        disableOutgoingRequestInstrumentation: true,
        ignoreIncomingRequestHook: ({ url = '' }) => UNTRACED.test(url),
        applyCustomAttributesOnSpan: (span, request) => nameByRoute(span, request as IncomingMessage),
      }),
      new PgInstrumentation({ requireParentSpan: true }),
    ],
  });
  return tracerProvider;
}

/** Names the span of a request by the pattern of its route, as the log and the metrics do. */
function nameByRoute(span: Span, request: IncomingMessage): void {
  const { baseUrl = '', route } = request as { baseUrl?: string; route?: { path?: unknown } };
  // What was sent behind the path is in no log either.
  span.setAttribute('url.query', '');
  if (typeof route?.path !== 'string') return;
  span.setAttribute('http.route', baseUrl + route.path);
  span.updateName(`${request.method ?? ''} ${baseUrl}${route.path}`);
}

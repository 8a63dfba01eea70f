import { once } from 'node:events';
import { createServer, type AddressInfo, type Server as NetServer } from 'node:net';
import type { Settings } from '../settings/settings.js';
import { tokenKeys } from '../auth/http.js';
import { describeDemo } from './demo/demo.js';
import { createApp } from './create-app.js';
import { loadExtensions, type FairleadExtension } from '../extensions/index.js';
import { HealthService } from '../health/health.service.js';
import { limitConnections } from '../http/connection/connection-limits.js';
import { OpenConnections } from '../http/connection/open-connections.js';
import { stopTimes, type StopTimes } from './stop-times.js';
import { createLogger, isPrettyLog, logDestination } from '../logging/create-logger.js';
import { prepareAccounts } from './prepare-accounts.js';
import { openServiceDatabase } from './service-database.js';
import { stopTelemetry } from '../telemetry/telemetry.js';
import { welcome } from './welcome.js';

/**
 * Stops what was started: serves on for some milliseconds, waits for running requests, then disconnects.
 */
type Stop = (times: Omit<StopTimes, 'rest'>) => Promise<void>;

/**
 * Starts the service and runs until a stop signal.
 * @param options.extensions those of the host, in addition to those in the setting `EXTENSIONS`
 * @throws Error with advice when the service cannot start
 */
export async function startServer(
  settings: Settings,
  { extensions = [] }: { readonly extensions?: readonly FairleadExtension[] } = {},
): Promise<void> {
  const stopping = new AbortController();
  const started = openServer(settings, { extensions, signal: stopping.signal });
  stopOnSignal(started, { times: stopTimes(settings), stopping });
  await started;
}

/**
 * Starts the service, which runs until it is told to stop.
 * @param options.extensions those of the host
 * @param options.signal ends a start that waits for the database
 * @throws Error with advice when the service cannot start
 */
export async function openServer(
  settings: Settings,
  { extensions: given, signal }: { readonly extensions: readonly FairleadExtension[]; signal: AbortSignal },
): Promise<Stop> {
  await requireFreePort(settings);
  const isPretty = isPrettyLog(settings.LOG_FORMAT);
  const logger = createLogger(settings.LOG_LEVEL, await logDestination(settings.LOG_FORMAT));
  // A start without a usable key must fail before it connects to the database.
  tokenKeys(settings);
  const extensions = await loadExtensions(settings.EXTENSIONS, given);
  const database = await openServiceDatabase(settings, {
    extensions,
    signal,
    startWait: settings.DATABASE_START_WAIT_SECONDS * 1000,
    log: (message) => logger.info(message),
    // Whoever supervises the process must learn that it cannot serve any more.
    onLost: (error) => {
      console.error(error.message);
      process.exit(1);
    },
  });
  try {
    const { dataSource } = database;
    const app = await createApp({ settings, dataSource, logger, extensions });
    const demo = await prepareAccounts(app, settings, database.fresh);
    const server = app.getHttpServer();
    limitConnections(server, {
      total: settings.MAX_CONNECTIONS,
      perAddress: settings.MAX_CONNECTIONS_PER_ADDRESS,
      keepAlive: settings.KEEP_ALIVE_SECONDS * 1000,
    });
    const connections = new OpenConnections(server);
    const address = await listen(server, settings);
    // Whoever waits for the line of the log has read the rest by then.
    if (!isPretty && demo !== undefined) console.log(describeDemo(demo, address));
    logger.info({ address }, 'listening');
    if (isPretty) console.log(welcome(address, settings, demo));
    return async ({ drain, grace }) => {
      logger.info('stopping');
      app.get(HealthService, { strict: false }).announceEnd();
      await connections.drain(drain);
      await connections.finish(grace);
      await app.close();
      // It waits for statements that run, so that nothing is stored after this process has ended.
      await database.close();
      await stopTelemetry();
    };
  } catch (error) {
    await database.close();
    throw error;
  }
}

/**
 * Fails where another process has the port, before anything is created.
 * @throws Error naming PORT and HOST
 */
async function requireFreePort(settings: Settings): Promise<void> {
  const probe = createServer();
  await listen(probe, settings);
  probe.close();
  await once(probe, 'close');
}

/**
 * Listens. Nest's own `listen` logs an error that the caller reports too.
 * @returns the address as a person on this machine would type it
 */
async function listen(server: NetServer, { PORT, HOST }: Settings): Promise<string> {
  try {
    server.listen(PORT, HOST);
    await once(server, 'listening');
    const { address, family, port } = server.address() as AddressInfo;
    const isOwn = ['127.0.0.1', '0.0.0.0', '::', '::1'].includes(address);
    return `http://${isOwn ? 'localhost' : family === 'IPv6' ? `[${address}]` : address}:${port}`;
  } catch (error) {
    throw new Error(`Cannot listen on PORT ${PORT} of HOST ${HOST}: ${(error as Error).message}`, {
      cause: error,
    });
  }
}

/**
 * Stops at the first SIGTERM, SIGINT or SIGHUP. It waits for the end of the start first, so that nothing is
 * left half started; a start that waits for the database ends there. A second signal, or a
 * stop that takes too long, ends the process. SIGINT and SIGHUP, which a terminal sends, do not drain.
 * @param options.times those of SIGTERM
 * @param options.stopping aborted at the first signal
 */
function stopOnSignal(
  started: Promise<Stop>,
  { times, stopping }: { readonly times: StopTimes; readonly stopping: AbortController },
): void {
  const onSignal = (signal: NodeJS.Signals): void => {
    if (stopping.signal.aborted) process.exit(1);
    stopping.abort(new Error(`Stopped by ${signal} while waiting for the database`));
    const drain = signal === 'SIGTERM' ? times.drain : 0;
    setTimeout(() => process.exit(1), drain + times.grace + times.rest).unref();
    started
      .then((stop) => stop({ ...times, drain }))
      .then(
        () => process.exit(0),
        (error: unknown) => {
          console.error(error instanceof Error ? error.message : error);
          process.exit(1);
        },
      );
  };
  process.on('SIGTERM', onSignal);
  process.on('SIGINT', onSignal);
  process.on('SIGHUP', onSignal);
}

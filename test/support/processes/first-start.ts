import { ApiClient } from '../api-client.js';
import type { Program, Programs } from './program.js';
import { untilReady } from './until-ready.js';
import { waitFor } from '../wait-for.js';

/** Starts a server on the embedded database of a folder, and waits until it has printed everything. */
export async function startOnData(
  programs: Programs,
  cwd: string,
  env: Record<string, string> = {},
): Promise<{ server: Program; url: string }> {
  const server = programs.server(env, cwd);
  const url = await server.listening();
  // The server prints the announcement directly after the address. An answered request is later than both.
  await untilReady(url);
  return { server, url };
}

/** Returns the parts of the announcement of the demo account. */
export function announced(stdout: string): { clientId: string; clientSecret: string; lines: string[] } {
  const [, clientId = ''] = /^ *client_id: +(\S+)$/m.exec(stdout) ?? [];
  const [, clientSecret = ''] = /^ *client_secret: +(\S+)$/m.exec(stdout) ?? [];
  return { clientId, clientSecret, lines: stdout.split('\n').filter((line) => line.includes('curl ')) };
}

/**
 * Returns a client of the demo account, once a server has announced it.
 * @param url of that server, or of another one with its data
 */
export async function demoClient(server: Program, url: string): Promise<ApiClient> {
  const demo = await waitFor('the demo account', () => {
    const found = announced(server.stdout);
    return found.clientSecret === '' ? undefined : found;
  });
  return new ApiClient(url, await tokenOf(url, demo));
}

export async function tokenOf(
  url: string,
  { clientId, clientSecret }: Pick<ReturnType<typeof announced>, 'clientId' | 'clientSecret'>,
): Promise<string> {
  const credentials = { client_id: clientId, client_secret: clientSecret };
  const { status, body } = await new ApiClient(url).post('/oauth2/token', credentials);
  expect(status).toBe(200);
  return body.access_token;
}

import { demoCommands, demoCredentials, type Demo } from './demo.js';
import { ownCommand } from '../settings/package.js';
import type { Settings } from '../settings/settings.js';

/**
 * Returns what a person who starts the service sees: a box that tells where it is, and what to do next.
 * @param address of this server, such as http://localhost:3000
 * @param demo if it was created by this start
 */
export function welcome(
  address: string,
  { DATABASE_URL, DATA_DIR }: Pick<Settings, 'DATABASE_URL' | 'DATA_DIR'>,
  demo: Demo | undefined,
): string {
  const database =
    DATABASE_URL === undefined ? `embedded PostgreSQL in ${DATA_DIR}` : 'PostgreSQL at DATABASE_URL';
  const credentials =
    demo === undefined
      ? []
      : ['', 'Demo account (told once; the secret is not stored)', ...demoCredentials(demo)];
  const lines = [
    'Fairlead is running. Ctrl-C stops it.',
    '',
    `API            ${address}`,
    `Docs           ${address}/docs`,
    `Database       ${database}`,
    `Commands       ${ownCommand()} --help`,
    ...credentials,
  ];
  // Nothing stands beside the commands, so that they can be copied.
  return [...box(lines), '', ...(demo === undefined ? [] : [demoCommands(demo, address)])].join('\n');
}

function box(lines: readonly string[]): string[] {
  const width = Math.max(...lines.map((line) => line.length));
  const edge = '─'.repeat(width + 4);
  return ['', `┌${edge}┐`, ...lines.map((line) => `│  ${line.padEnd(width)}  │`), `└${edge}┘`];
}

import { ROLES, SCOPES } from '../auth/index.js';
import {
  closedObject,
  EMAIL,
  ID,
  listOf,
  NAME,
  orNull,
  type Schemas,
  text,
  TIME,
  wordOf,
} from '../http/index.js';

const [USER_ID, ACCOUNT_ID] = [
  '019a8f2c-91d4-7f3a-8c55-0a1b2c3d4e5f',
  '019a8f2c-0000-7f3a-8c55-0a1b2c3d4e5f',
];
const ACCOUNT = closedObject({ id: ID, slug: text('Its name in files and commands', 63), name: NAME });
const DEMO = { id: ACCOUNT_ID, slug: 'demo', name: 'Demo Inc' };

/** Returns the schemas of `GET /me` and of sessions in the OpenAPI document. */
export function consoleSchemas(): Schemas {
  const secret = { type: 'string', maxLength: 100, pattern: '^[A-Za-z0-9_-]*$' } as const;
  return {
    Me: {
      ...closedObject({
        kind: wordOf(['client', 'user']),
        id: { ...ID, description: 'Of the client or of the member' },
        name: text('Of the client or of the person', 300),
        email: { ...orNull(EMAIL), description: 'Of the member; null for a client' },
        role: { type: ['string', 'null'], enum: [...ROLES, null] },
        user: {
          oneOf: [closedObject({ id: ID, email: EMAIL, name: orNull(NAME) }), { type: 'null' }],
          description: 'The user with the e-mail of the member',
        },
        scopes: listOf(wordOf(SCOPES), SCOPES.length),
        account: ACCOUNT,
        release: text('That of the service', 50),
      }),
      examples: [
        {
          kind: 'user',
          id: '019a8f2c-7777-7f3a-8c55-0a1b2c3d4e5f',
          name: 'Ada Lovelace',
          email: 'ada@demo.test',
          role: 'viewer',
          user: { id: USER_ID, email: 'ada@demo.test', name: 'Ada Lovelace' },
          scopes: ['records:read', 'routers:read', 'directory:read'],
          account: DEMO,
          release: '0.1.0',
        },
      ],
    },
    ConsoleSession: {
      ...closedObject({
        signed_in: { type: 'boolean' },
        idle_until: {
          ...orNull(TIME),
          description: 'When the session ends unless the person does something',
        },
        ends_at: { ...orNull(TIME), description: 'When it ends in any case' },
        oidc: { type: 'boolean', description: 'Whether people enter by the provider, too' },
        accounts: {
          ...listOf(ACCOUNT, 1_000),
          description: 'Those that the person may enter whom the provider has named',
        },
      }),
      examples: [
        {
          signed_in: true,
          idle_until: '2026-06-10T22:05:06.789Z',
          ends_at: '2026-06-11T09:05:06.789Z',
          oidc: true,
          accounts: [DEMO],
        },
      ],
    },
    ConsoleEntry: closedObject(
      {},
      {
        token: { ...secret, description: 'What the one-time link has behind its `#`' },
        account: { ...ID, description: 'In its place: another of the `accounts` of the session' },
      },
    ),
  };
}

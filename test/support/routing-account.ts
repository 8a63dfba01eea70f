import { randomUUID } from 'node:crypto';
import { decodeRotationState, ROUTER_ROTATION_KEY, type RotationState } from '../../src/engine/index.js';
import { ApplyService } from '../../src/management/index.js';
import type { ApiClient, ApiResponse } from './api-client.js';
import { inPortions } from './in-portions.js';
import { sql, userIdOf } from './database/stored-records.js';
import type { TestService } from './test-service.js';

/** The configuration file's entry of one account, without its slug. */
export interface AccountFile {
  readonly holidays?: readonly string[];
  readonly users?: readonly object[];
  readonly teams?: readonly object[];
  readonly fields?: readonly object[];
  readonly capacities?: readonly object[];
  readonly routers?: readonly object[];
}

/** A row of the assignment log. */
export interface LoggedRun {
  readonly id: string;
  readonly router_id: string;
  readonly router_version: number | null;
  readonly rule: string | null;
  readonly step: number | null;
  readonly object_type: string;
  readonly object_id: string;
  readonly user_email: string | null;
  readonly previous_user: string | null;
  readonly reason: string;
  readonly message: string;
  readonly trace: readonly any[];
  readonly created_at: Date;
}

/** Returns the e-mail address of a test user. */
export const mail = (name: string): string => `${name}@acme.test`;

/** Users, or entries of a router's pool, with the same further keys. */
export const people = (names: readonly string[], more: object = {}): object[] =>
  names.map((name) => ({ email: mail(name), ...more }));

/** A published router of contacts; `settings: {}` gives it every default. */
export const router = (name: string, settings: object | null, more: object = {}): object => ({
  name,
  object_type: 'contacts',
  published: true,
  settings,
  ...more,
});

/** An account of one test, with a client of all default scopes and methods that read what is stored. */
export class RoutingAccount {
  private routerIds = new Map<string, string>();

  private constructor(
    readonly service: TestService,
    readonly slug: string,
    readonly api: ApiClient,
  ) {}

  static async open(service: TestService, file: AccountFile): Promise<RoutingAccount> {
    const slug = service.slug(`t-${randomUUID()}`);
    await service.apply(JSON.stringify({ accounts: [{ slug, ...file }] }));
    return new RoutingAccount(service, slug, await service.login(slug));
  }

  /** The same account, reached through another service on the same database. */
  through(service: TestService): RoutingAccount {
    return new RoutingAccount(service, this.slug, service.client(this.api.token));
  }

  /** Changes the account's configuration. */
  apply(file: AccountFile): Promise<void> {
    return this.service.apply(JSON.stringify({ accounts: [{ slug: this.slug, ...file }] }));
  }

  /** Archives a user who may own records, which the service refuses. It notices with the next change. */
  async loseUser(name: string): Promise<void> {
    const id = await userIdOf(this.service, this.slug, mail(name));
    await sql(this.service, 'UPDATE users SET archived_at = now() WHERE id = $1', [id]);
  }

  /** The account's part of an export. */
  async exported(): Promise<any> {
    const { accounts } = await this.service.app.get(ApplyService, { strict: false }).export(this.slug);
    const { slug: _, ...file } = accounts[0] as { slug: string };
    return file;
  }

  /** The version of the account's configuration. */
  async version(): Promise<string> {
    const rows = await sql<{ version: string }>(
      this.service,
      'SELECT config_version AS version FROM accounts WHERE slug = $1',
      [this.slug],
    );
    return rows[0]?.version ?? '';
  }

  async routerId(name: string): Promise<string> {
    if (!this.routerIds.has(name)) {
      const rows = await sql<{ id: string; name: string }>(
        this.service,
        `SELECT r.id, r.name FROM routers r JOIN accounts a ON a.id = r.account_id WHERE a.slug = $1`,
        [this.slug],
      );
      this.routerIds = new Map(rows.map((row) => [row.name, row.id]));
    }
    const id = this.routerIds.get(name);
    if (id === undefined) throw new Error(`There is no router ${name}`);
    return id;
  }

  /** Creates a record. @returns its id */
  async create(type: string, fields: object): Promise<string> {
    const { status, body } = await this.api.post(`/${type}`, { fields });
    if (status !== 201) throw new Error(`Not created: ${JSON.stringify(body)}`);
    return body.id;
  }

  contact(fields: object = {}): Promise<string> {
    return this.create('contacts', { first_name: 'Lead', ...fields });
  }

  /** Creates contacts, 32 at once. @returns their ids */
  contacts(count: number): Promise<string[]> {
    return inPortions(count, 32, () => this.contact());
  }

  async dispatch(routerName: string, objectId: string): Promise<ApiResponse> {
    const body = { router_id: await this.routerId(routerName), object_id: objectId };
    return this.api.post('/dispatch/router', body);
  }

  async batch(routerName: string, objectIds: readonly unknown[]): Promise<ApiResponse> {
    const body = { router_id: await this.routerId(routerName), object_ids: objectIds };
    return this.api.post('/dispatch/batch', body);
  }

  /** @param of `object_id` or `fields`, and `at` */
  async simulate(routerName: string, of: object): Promise<ApiResponse> {
    return this.api.post('/dispatch/simulate', { router_id: await this.routerId(routerName), ...of });
  }

  /** Runs a router on a record (default: a new contact). @returns who got it, or the reason why nobody did */
  async assign(routerName: string, objectId?: string): Promise<string> {
    const { status, body } = await this.dispatch(routerName, objectId ?? (await this.contact()));
    if (status !== 200) throw new Error(`${status} ${JSON.stringify(body)}`);
    return outcomeOf(body);
  }

  /** Runs a router on contacts, one after the other. @returns who got them, in order */
  async assignEach(routerName: string, ids: readonly string[]): Promise<string> {
    const taken: string[] = [];
    for (const id of ids) taken.push(await this.assign(routerName, id));
    return taken.join(' ');
  }

  /** Runs a router on so many new contacts, one after the other. @returns who got them, in order */
  async turns(routerName: string, count: number): Promise<string> {
    return this.assignEach(routerName, await this.contacts(count));
  }

  /** The account's assignment log, oldest first. */
  log(): Promise<LoggedRun[]> {
    return sql<LoggedRun>(
      this.service,
      `SELECT l.*, COALESCE(u.stored_as, u.email) AS user_email, COALESCE(p.stored_as, p.email) AS previous_user, t.trace
        FROM assignments l JOIN accounts a ON a.id = l.account_id
        LEFT JOIN users u ON u.account_id = l.account_id AND u.id = l.user_id
        LEFT JOIN users p ON p.account_id = l.account_id AND p.id = l.previous_user_id
        LEFT JOIN assignment_traces t ON t.account_id = l.account_id AND t.id = l.id WHERE a.slug = $1 ORDER BY l.id`,
      [this.slug],
    );
  }

  /** Returns the rotations of a router. */
  async rotation(routerName: string): Promise<RotationState> {
    const [row] = await sql<{ state: unknown }>(
      this.service,
      'SELECT state FROM rotations WHERE router_id = $1',
      [await this.routerId(routerName)],
    );
    return decodeRotationState(row?.state, ROUTER_ROTATION_KEY);
  }

  /** Returns all that a dispatch can change except the log: the account's records and its rotations. */
  async stored(): Promise<{ records: unknown[]; rotations: unknown[] }> {
    const rows = (table: string, order: string): Promise<unknown[]> =>
      sql(
        this.service,
        `SELECT t.* FROM ${table} t JOIN accounts a ON a.id = t.account_id WHERE a.slug = $1 ORDER BY t.${order}`,
        [this.slug],
      );
    return { records: await rows('records', 'id'), rotations: await rows('rotations', 'router_id') };
  }
}

/** Who got a record, or the reason why nobody did, by the answer of a dispatch or a result of a batch. */
export const outcomeOf = ({ success, user, reason }: any): string =>
  success === true ? nameOf(user) : reason;

/** Returns the name of a test user. */
export function nameOf(email: string): string {
  return email.replace(/@acme\.test$/, '');
}

/** How often each name occurs. */
export function tally(names: Iterable<string>): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const name of names) counts[name] = (counts[name] ?? 0) + 1;
  return counts;
}

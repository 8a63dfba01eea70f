import type { ApiClient, ApiResponse } from './api-client.js';
import { mail, people } from './routing-account.js';

/** A router whose pool is Ada. */
export const INBOUND = {
  name: 'Inbound',
  object_type: 'contacts',
  users: [{ email: mail('ada') }],
  settings: {},
};

/** A pool of these users. */
export const pick = (...names: string[]) => ({ users: people(names) });

/** Who is in the pool of a router that was answered. */
export const pool = ({ users }: { users: { email: string }[] }): string =>
  users.map(({ email }) => email.replace('@acme.test', '')).join(' ');

/** A router that a client with the scope `manage` has created. */
export class ManagedRouter {
  readonly path: string;

  private constructor(
    private readonly admin: ApiClient,
    readonly id: string,
  ) {
    this.path = `/routers/${id}`;
  }

  static async create(admin: ApiClient, values: object = {}): Promise<ManagedRouter> {
    const { body } = await admin.post('/routers', { ...INBOUND, ...values });
    return new ManagedRouter(admin, body.id);
  }

  patch(changes: object): Promise<ApiResponse> {
    return this.admin.patch(this.path, changes);
  }

  publish(sent?: object): Promise<ApiResponse> {
    return this.admin.post(`${this.path}/publish`, sent);
  }

  unpublish(): Promise<ApiResponse> {
    return this.admin.post(`${this.path}/unpublish`);
  }

  rollBack(version: unknown): Promise<ApiResponse> {
    return this.admin.post(`${this.path}/rollback`, { version });
  }

  discard(): Promise<ApiResponse> {
    return this.admin.delete(`${this.path}/draft`);
  }

  archive(): Promise<ApiResponse> {
    return this.admin.delete(this.path);
  }

  async get(version = 'live'): Promise<any> {
    return (await this.admin.get(`${this.path}?version=${version}`)).body;
  }

  async versions(): Promise<any[]> {
    return (await this.admin.get(`${this.path}/versions`)).body.data;
  }

  /** Its audit, newest first. */
  async audit(): Promise<any[]> {
    return (await this.admin.get(`/audit?object=${this.id}`)).body.data;
  }
}

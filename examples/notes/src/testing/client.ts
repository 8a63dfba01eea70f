/** An answer of the service. */
export interface Answer {
  readonly status: number;
  // Tests look into bodies of every shape.
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  readonly body: any;
}

/** A REST client of one account. */
export class Client {
  constructor(
    private readonly url: string,
    private readonly token: string,
  ) {}

  get(path: string): Promise<Answer> {
    return this.request('GET', path);
  }

  post(path: string, body: object): Promise<Answer> {
    return this.request('POST', path, body);
  }

  delete(path: string): Promise<Answer> {
    return this.request('DELETE', path);
  }

  private async request(method: string, path: string, body?: object): Promise<Answer> {
    const response = await fetch(this.url + path, {
      method,
      headers: { Authorization: `Bearer ${this.token}`, 'Content-Type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    return { status: response.status, body: await response.json() };
  }
}

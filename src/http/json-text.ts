/**
 * An answer that is JSON already, such as what the database makes of many rows. It is sent as it is, by
 * FastExpressAdapter. Others that look at answers, such as interceptors of a host, get its value by `toJSON`.
 */
export class JsonText {
  constructor(readonly text: string) {}

  toJSON(): unknown {
    return JSON.parse(this.text);
  }
}

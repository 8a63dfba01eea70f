/** Who changes the configuration: an API client, or a command of the program such as `apply`. */
export interface Author {
  readonly kind: 'client' | 'command';
  /** Of the client; null for a command. */
  readonly id: string | null;
  readonly name: string;
  /** The request that makes the change; null for a command. */
  readonly requestId: string | null;
}

/** Returns the author of what a command changes. @param name such as `apply` */
export function commandAuthor(name: string): Author {
  return { kind: 'command', id: null, name, requestId: null };
}

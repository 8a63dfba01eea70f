/** Who changes the configuration: an API client, or the program: a command, or a start with `APPLY_FILE`. */
export interface Author {
  readonly kind: 'client' | 'command';
  /** Of the client; null for the program. */
  readonly id: string | null;
  readonly name: string;
  /** The request that makes the change; null for the program. */
  readonly requestId: string | null;
}

/** Returns the author of what the program changes. @param name such as `apply` or `APPLY_FILE` */
export function commandAuthor(name: string): Author {
  return { kind: 'command', id: null, name, requestId: null };
}

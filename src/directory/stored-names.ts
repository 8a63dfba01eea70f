/** How rows name a user whose e-mail has changed. */
interface NamedUser {
  readonly email: string;
  /** Null or undefined: the e-mail itself. */
  readonly storedAs?: string | null;
}

/**
 * The texts by which rows of records name the users of an account (ADR 24): the first e-mail that the user
 * had, which stays when the e-mail changes. Immutable, and without cost where no e-mail has changed.
 */
export class StoredNames {
  /** Where no e-mail has changed. */
  static readonly SAME = new StoredNames(new Map());

  private readonly names: ReadonlyMap<string, string>;

  /** @param emails by stored name, of users of whom the two differ */
  private constructor(private readonly emails: ReadonlyMap<string, string>) {
    this.names = new Map([...emails].map(([name, email]) => [email, name]));
  }

  /** @param users archived ones included: records keep their names */
  static of(users: readonly NamedUser[]): StoredNames {
    const renamed = users.flatMap(({ email, storedAs }) =>
      storedAs == null || storedAs === email ? [] : [[storedAs, email] as const],
    );
    return renamed.length === 0 ? StoredNames.SAME : new StoredNames(new Map(renamed));
  }

  /** @param emails by stored name, as `renamedUsers` selects them; null for none */
  static from(emails: Readonly<Record<string, string>> | null | undefined): StoredNames {
    return emails ? new StoredNames(new Map(Object.entries(emails))) : StoredNames.SAME;
  }

  get isEmpty(): boolean {
    return this.emails.size === 0;
  }

  /** The e-mails of users by stored name, where the two differ. */
  get renamed(): ReadonlyMap<string, string> {
    return this.emails;
  }

  /** The e-mail of the user whom a row names. A text that names no user stays as it is. */
  emailOf(stored: string): string {
    return this.emails.get(stored) ?? stored;
  }

  /** The text by which rows name the user who has an e-mail. */
  nameOf(email: string): string {
    return this.names.get(email) ?? email;
  }

  /** Returns stored fields with e-mails in place of stored names. @param userFields their names */
  shown(fields: Fields, userFields: Iterable<string>): Fields {
    if (this.isEmpty) return fields;
    const shown = { ...fields };
    for (const name of userFields) {
      const stored = Object.hasOwn(fields, name) ? fields[name] : undefined;
      if (stored !== undefined) shown[name] = this.emailOf(stored);
    }
    return shown;
  }

  /** Returns changes of fields with stored names in place of e-mails. */
  stored(changes: Changes, userFields: Iterable<string>): Changes {
    if (this.isEmpty) return changes;
    const stored = new Map(changes);
    for (const name of userFields) {
      const email = changes.get(name) ?? null;
      if (email !== null) stored.set(name, this.nameOf(email));
    }
    return stored;
  }
}

type Fields = Readonly<Record<string, string>>;
type Changes = ReadonlyMap<string, string | null>;

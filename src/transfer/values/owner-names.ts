import type { Directory } from '../../directory/index.js';
import type { FieldDefinition } from '../../fields/index.js';
import { nameKey } from '../../text/canonical-text.js';
import { shownName } from '../../text/shown-name.js';
import { CellProblem } from '../rows/source-row.js';

/** Neither names nor addresses are longer. */
const MOST_LENGTH = 1_000;
const MOST_LISTED = 5;

/**
 * The active users of an account as other systems name them: `Ada <ada@acme.test>`, or by name. They are
 * those at the start of an import; users who come later are known by e-mail.
 */
export class OwnerNames {
  private byName: Map<string, string[]> | undefined;

  constructor(private readonly directory: Directory) {}

  /** Returns the e-mail or id of the user whom a text names; the text where it names none. */
  read(text: string, { internalName }: FieldDefinition): string | CellProblem {
    const written = text.trim();
    if (written.length > MOST_LENGTH || this.directory.findUser(written) !== undefined) return written;
    const address = /<([^<>]*)>$/.exec(written)?.[1] ?? '';
    if (this.directory.findUser(address) !== undefined) return address;
    const [email, ...others] = this.named(written);
    if (others.length === 0) return email ?? written;
    const listed = [email, ...others].sort().slice(0, MOST_LISTED).join(', ');
    return new CellProblem(
      `${internalName} may be one of ${others.length + 1} users whose name is ${shownName(written)}: ${listed}`,
    );
  }

  private named(name: string): readonly string[] {
    const byName = (this.byName ??= this.emailsByName());
    // Some systems write the last name first.
    const [last, first, ...more] = name.split(',');
    const turned = first === undefined || more.length > 0 ? '' : spaced(`${first} ${last ?? ''}`);
    return [spaced(name), turned].flatMap((key) => (key === '' ? [] : (byName.get(key) ?? [])));
  }

  private emailsByName(): Map<string, string[]> {
    const emails = new Map<string, string[]>();
    for (const { name, email } of this.directory.own) {
      const key = spaced(name ?? '');
      emails.set(key, [...(emails.get(key) ?? []), email]);
    }
    return emails;
  }
}

/** The form in which names are compared, with one space between words. */
const spaced = (name: string): string => nameKey(name.replace(/\s+/g, ' '));

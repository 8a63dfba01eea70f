import { onClusterAlone } from '../cluster-form.js';
import { isDistributed, type Session } from '../distribute.js';
import type { SentQuery } from '../driver/driver.js';
import type { ClusterSending, Statement } from '../queryable.js';

/** A statement for a cluster, and the numbers of the parameters that its text has as $1, $2 and so on. */
interface ClusterForm extends Statement {
  readonly numbers: readonly number[];
}

const NOTHING: ClusterSending = {};

const forms = new WeakMap<Statement, ClusterForm>();

/**
 * Returns a statement as a cluster gets it, under another name where it has one: connections know texts by
 * names. Parameters that its text does not have are left out: PostgreSQL refuses them.
 */
function clusterForm(statement: Statement): ClusterForm {
  let form = forms.get(statement);
  if (form === undefined) {
    const name = statement.name && `${statement.name} cluster`;
    const text = onClusterAlone(statement.text);
    const numbers = [...new Set([...text.matchAll(/\$(\d+)/g)].map(([, n]) => Number(n)))].sort(
      (a, b) => a - b,
    );
    const numbered = text.replace(/\$(\d+)/g, (_, n) => `$${numbers.indexOf(Number(n)) + 1}`);
    form = { ...statement, name, text: numbered, numbers };
    forms.set(statement, form);
  }
  return form;
}

/** Knows whether the tables of a database are distributed, and so which form of statements it gets. */
export class Distribution {
  private distributed = false;

  /** Whether they are, as far as it is known. */
  get isDistributed(): boolean {
    return this.distributed;
  }

  /** How a statement is sent: steps in one transaction, lines of one snapshot. */
  readonly sendingOf = ({ cluster = NOTHING }: Statement): ClusterSending =>
    this.distributed ? cluster : NOTHING;

  /** Returns a statement as the database gets it, on a cluster as its steps. */
  readonly queriesOf = (statement: Statement, values: readonly unknown[]): SentQuery[] =>
    (this.sendingOf(statement).steps ?? [statement]).flatMap((step) => this.eachOf(step, values));

  /**
   * Sends a statement, and on a cluster those beside it.
   * @param send returns the rows of one statement
   */
  async rows<Row>(
    statement: Statement,
    values: readonly unknown[],
    send: (query: SentQuery) => Promise<object[]>,
  ): Promise<Row[]> {
    const { beside = [], lines, isOuter = false } = statement.cluster ?? {};
    if (!this.distributed) return send({ ...statement, values }) as Promise<Row[]>;
    const each = this.eachOf(statement, values).map(send);
    const behind = beside.map((part) => send(this.queryOf(part, values)));
    const [rows, parts] = await Promise.all([Promise.all(each), Promise.all(behind)]);
    const added = Object.assign({}, ...parts.map(([row]) => row)) as object;
    const own = lines === undefined ? rows.flat() : joined(rows.flat(), lines);
    if (own.length === 0 && isOuter) return [added as Row];
    return own.map((row) => ({ ...row, ...added }) as Row);
  }

  private eachOf(statement: Statement, values: readonly unknown[]): SentQuery[] {
    const { each: places } = this.sendingOf(statement);
    if (places === undefined) return [this.queryOf(statement, values)];
    const [first = 1] = places;
    return (values[first - 1] as unknown[]).map((_, n) => {
      const ofPlace = (value: unknown, place: number): unknown =>
        places.includes(place + 1) ? (value as unknown[])[n] : value;
      return this.queryOf(statement, values.map(ofPlace));
    });
  }

  private queryOf(statement: Statement, values: readonly unknown[]): SentQuery {
    if (!this.distributed) return { ...statement, values };
    const { numbers, ...form } = clusterForm(statement);
    return { ...form, values: numbers.map((number) => values[number - 1]) };
  }

  /** Asks the database. */
  async learn(dataSource: Session): Promise<void> {
    this.distributed = await isDistributed(dataSource);
  }
}

/** Makes one row of those with a line each. */
function joined(rows: readonly object[], column: string): object[] {
  const lines = rows.map((row) => (row as Record<string, string>)[column]);
  return [{ [column]: lines.length === 0 ? null : lines.join(',\n') }];
}

import { onClusterAlone } from '../cluster-form.js';
import { isDistributed, type Asked } from '../distribute.js';
import type { SentQuery } from '../driver/driver.js';
import type { Statement } from '../queryable.js';

const forms = new WeakMap<Statement, Statement>();

/**
 * Returns a statement as a cluster gets it, under another name where it has one: connections know texts by
 * names.
 */
function clusterForm(statement: Statement): Statement {
  let form = forms.get(statement);
  if (form === undefined) {
    const name = statement.name && `${statement.name} cluster`;
    form = { ...statement, name, text: onClusterAlone(statement.text) };
    forms.set(statement, form);
  }
  return form;
}

const parameters = new WeakMap<Statement, number>();

/** The number of parameters that a statement has. */
function parametersOf(statement: Statement): number {
  let most = parameters.get(statement);
  if (most === undefined) {
    most = Math.max(0, ...[...statement.text.matchAll(/\$(\d+)/g)].map(([, n]) => Number(n)));
    parameters.set(statement, most);
  }
  return most;
}

/** A statement with the first of some values, as many as it has parameters. */
const withFirst = (statement: Statement, values: readonly unknown[]): SentQuery => ({
  ...statement,
  values: values.slice(0, parametersOf(statement)),
});

/** Knows whether the tables of a database are distributed, and so which form of statements it gets. */
export class Distribution {
  private distributed = false;

  /** Returns a statement as the database gets it. */
  readonly formOf = (statement: Statement): Statement =>
    this.distributed ? clusterForm(statement) : statement;

  /** Whether they are, as far as it is known. */
  get isDistributed(): boolean {
    return this.distributed;
  }

  /** What a write is sent behind; undefined for any other statement, and on plain PostgreSQL. */
  readonly requirementOf = ({ requirementOnCluster }: Statement): Statement | undefined =>
    this.distributed ? requirementOnCluster : undefined;

  /** Whether a statement is sent as several reads, which must be of one snapshot. */
  readonly isInLines = ({ linesOnCluster }: Statement): boolean =>
    this.distributed && linesOnCluster !== undefined;

  /** Returns a statement as the database gets it, on a cluster behind its requirement. */
  readonly queriesOf = (statement: Statement, values: readonly unknown[]): SentQuery[] => {
    const requirement = this.requirementOf(statement);
    if (requirement === undefined) return [{ ...this.formOf(statement), values }];
    const required = [values[0], values.at(-1)];
    return [{ ...this.formOf(requirement), values: required }, withFirst(this.formOf(statement), values)];
  };

  /**
   * Sends a statement, and on a cluster those beside it.
   * @param send returns the rows of one statement
   */
  async rows<Row>(
    statement: Statement,
    values: readonly unknown[],
    send: (query: SentQuery) => Promise<object[]>,
  ): Promise<Row[]> {
    const { besideOnCluster = [], linesOnCluster: lines } = statement;
    const form = this.formOf(statement);
    if (!this.distributed || (besideOnCluster.length === 0 && lines === undefined))
      return send({ ...form, values }) as Promise<Row[]>;
    const sent = [form, ...besideOnCluster.map(this.formOf)].map((part) => send(withFirst(part, values)));
    const [rows = [], ...parts] = await Promise.all(sent);
    const added = Object.assign({}, ...parts.map(([row]) => row)) as object;
    return (lines === undefined ? rows : joined(rows, lines)).map((row) => ({ ...row, ...added }) as Row);
  }

  /** Asks the database. @returns whether it was distributed since it was asked before */
  async learn(dataSource: Asked): Promise<boolean> {
    const before = this.distributed;
    this.distributed = await isDistributed(dataSource);
    return this.distributed && !before;
  }
}

/** Makes one row of those with a line each. */
function joined(rows: readonly object[], column: string): object[] {
  const lines = rows.map((row) => (row as Record<string, string>)[column]);
  return [{ [column]: lines.length === 0 ? null : lines.join(',\n') }];
}

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

  /** Whether a statement is sent behind a requirement. */
  readonly hasRequirement = ({ requirementOnCluster }: Statement): boolean =>
    this.distributed && requirementOnCluster !== undefined;

  /** Whether a statement is sent as several, which must be of one transaction. */
  readonly isSeveral = (statement: Statement): boolean =>
    this.hasRequirement(statement) || (this.distributed && statement.linesOnCluster !== undefined);

  /** Returns a statement as the database gets it, on a cluster behind its requirement. */
  readonly queriesOf = (statement: Statement, values: readonly unknown[]): SentQuery[] => {
    const write = this.formOf(statement);
    const { requirementOnCluster: first } = statement;
    if (first === undefined || !this.distributed) return [{ ...write, values }];
    const required = { ...this.formOf(first), values: [values[0], values.at(-1)] };
    return [required, { ...write, values: values.slice(0, -1) }];
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
    const [rows = [], ...parts] = await Promise.all(
      [form, ...besideOnCluster.map(this.formOf)].map((part) =>
        send({ ...part, values: values.slice(0, parametersOf(part)) }),
      ),
    );
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

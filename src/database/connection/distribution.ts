import { onClusterAlone } from '../cluster-form.js';
import { isDistributed, type Asked } from '../distribute.js';
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

  /**
   * Sends a statement, and on a cluster the one beside it.
   * @param send returns the rows of one statement
   */
  async rows<Row>(
    statement: Statement,
    values: readonly unknown[],
    send: (statement: Statement, values: readonly unknown[]) => Promise<unknown[]>,
  ): Promise<Row[]> {
    const { besideOnCluster } = statement;
    const sent = send(statement, values);
    if (besideOnCluster === undefined || !this.distributed) return sent as Promise<Row[]>;
    const [rows, [added]] = await Promise.all([sent, send(besideOnCluster, values.slice(0, 1))]);
    return rows.map((row) => Object.assign({}, row, added) as Row);
  }

  /** Asks the database. @returns whether it was distributed since it was asked before */
  async learn(dataSource: Asked): Promise<boolean> {
    const before = this.distributed;
    this.distributed = await isDistributed(dataSource);
    return this.distributed && !before;
  }
}

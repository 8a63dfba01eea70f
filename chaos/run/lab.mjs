// What the scenarios of a lane share: databases with the account, from which each scenario takes a copy.
import { Cluster } from '../database/cluster.mjs';
import { EmbeddedData } from '../database/embedded.mjs';
import { prepareAccount } from '../service/prepare-account.mjs';

export class Lab {
  #external;
  #embedded;

  constructor(leftovers, options) {
    this.leftovers = leftovers;
    this.options = options;
  }

  /** @returns { cluster, template, account }: a plain PostgreSQL, and a database of it to copy */
  external() {
    this.#external ??= this.#makeExternal();
    return this.#external;
  }

  /** @returns { data, account }: a stopped embedded database to copy */
  embedded() {
    this.#embedded ??= this.#makeEmbedded();
    return this.#embedded;
  }

  async #makeExternal() {
    const cluster = await Cluster.create(this.leftovers);
    const template = await cluster.createDatabase('prepared');
    const env = { DATABASE_URL: cluster.url(template) };
    const account = await prepareAccount(this.leftovers, env, { folder: cluster.folder });
    return { cluster, template, account };
  }

  async #makeEmbedded() {
    const data = new EmbeddedData(this.leftovers);
    const env = { DATA_DIR: data.directory };
    const account = await prepareAccount(this.leftovers, env, { folder: data.directory });
    await data.stop();
    return { data, account };
  }
}

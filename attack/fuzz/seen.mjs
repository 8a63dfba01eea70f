/** Collections of which some requests must succeed, so that more is attacked than what refuses. */
const MANAGED = ['users', 'teams', 'fields', 'capacities', 'clients', 'routers', 'audit'];

/** Requests with which each collection is reached: about a hundred of each route. */
const ENOUGH = 5_000;

/** The statuses of the answers of each route. */
export class Seen {
  #routes = new Map();

  add({ method, path }, status) {
    const name = `${method} ${path}`;
    const statuses = this.#routes.get(name) ?? new Map();
    this.#routes.set(name, statuses.set(status, (statuses.get(status) ?? 0) + 1));
  }

  /** The collections that refused every request, where there were enough. */
  unreached(requests) {
    if (requests < ENOUGH) return [];
    const granted = [...this.#routes].filter(([, statuses]) =>
      [...statuses.keys()].some((each) => each < 400),
    );
    const names = granted.map(([name]) => name);
    return MANAGED.filter((each) => !names.some((name) => name.includes(` /${each}`))).map(
      (each) => `/${each}`,
    );
  }

  total() {
    const all = new Map();
    for (const statuses of this.#routes.values()) {
      for (const [status, count] of statuses) all.set(status, (all.get(status) ?? 0) + count);
    }
    return describe(all);
  }

  lines() {
    return [...this.#routes].sort().map(([name, statuses]) => `  ${name}: ${describe(statuses)}`);
  }
}

const describe = (statuses) =>
  [...statuses]
    .sort()
    .map(([status, count]) => `${status}: ${count}`)
    .join(', ');

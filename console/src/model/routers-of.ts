import type { components } from '../api/schema';

type Router = components['schemas']['Router'];
type Pool = { users?: { email: string }[]; teams?: { name: string }[] };

/** A router that lists a person. */
export interface Listing {
  id: string;
  name: string;
  /** Only as the backup. */
  asBackup: boolean;
}

/** The routers that can give records to a person: by a pool, a rule, a step, a team, or as the backup. */
export function routersOf(email: string, teams: readonly string[], routers: readonly Router[]): Listing[] {
  const lists = ({ users = [], teams: listed = [] }: Pool) =>
    users.some((user) => user.email === email) || listed.some(({ name }) => teams.includes(name));
  return routers.flatMap((router) => {
    const { id, name, settings } = router;
    const rules = settings?.rules ?? [];
    const steps = [settings, ...rules].flatMap((each) => each?.steps ?? []);
    const inPool = [router, ...rules, ...steps].some((pool) => lists(pool));
    const asBackup = settings?.default_user === email;
    return inPool || asBackup ? [{ id, name, asBackup: !inPool }] : [];
  });
}

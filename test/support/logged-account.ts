import { away } from './processes/presence.js';
import { mail, people, router, RoutingAccount, type LoggedRun } from './routing-account.js';
import type { TestService } from './test-service.js';
import { condition } from './database/trigger-table.js';

/** Returns an assignment as the API shows it: one that kept the owner with that owner as its user. */
export const shown = (run: LoggedRun): object => ({
  id: run.id,
  router_id: run.router_id,
  router_version: run.router_version,
  rule: run.rule,
  step: run.step,
  object_id: run.object_id,
  object_type: run.object_type,
  user: run.user_email ?? (run.reason === 'already_owner' ? run.previous_user : null),
  previous_user: run.previous_user,
  reason: run.reason,
  message: run.message,
  created_at: run.created_at.toISOString(),
});

/**
 * Opens an account with three routers: R over two available and two unavailable users, S that never assigns,
 * C for companies.
 */
export const openLogged = (service: TestService): Promise<RoutingAccount> =>
  RoutingAccount.open(service, {
    users: [
      ...people(['ada', 'bob']),
      { email: mail('off'), available: false },
      { email: mail('away'), ...away() },
    ],
    routers: [
      router('R', { overwrite: true }, { users: people(['ada', 'bob', 'off', 'away']) }),
      router('S', { trigger: condition('city', 'eq', 'Atlantis') }, { users: people(['ada']) }),
      { ...router('C', {}, { users: people(['bob']) }), object_type: 'companies' },
    ],
  });

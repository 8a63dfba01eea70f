import type { DistributionModel } from '../../engine/models/distribution-model.js';
import { collectIssues, type FieldIssue } from '../../engine/model/field-issue.js';
import type {
  RouterConfiguration,
  RouterPool,
  RoutingRule,
} from '../../engine/model/router-configuration.js';
import { rulePools, takesRouterPool } from '../../engine/rules/rule-pool.js';
import { nameKey } from '../../text/canonical-text.js';
import { normalizeEmail } from '../../text/email-key.js';
import { shownName } from '../../text/shown-name.js';

/**
 * Validates a router's pool together with its settings: nobody is listed twice, percentages are valid, and
 * the pool is valid for the distribution model. The same for the pool of every rule, which must be as it is
 * listed. Empty if there are no errors. Paths start at `users[0]`, `teams[0]` and, for rules,
 * `settings.rules[0].users[0]`.
 */
export function validateRouter(
  router: Pick<RouterConfiguration, 'settings' | 'users' | 'teams' | 'rules'>,
  models: readonly DistributionModel[],
): readonly FieldIssue[] {
  const { settings } = router;
  const issues = [...validatePool(router, settings?.distributionModel, models)];
  if (settings === null) return issues;
  const poolOf = rulePools(router);
  for (const [index, rule] of settings.rules.entries()) {
    const place = `settings.rules[${index}]`;
    issues.push(
      ...validateRule(rule, poolOf(rule), { routerModel: settings.distributionModel, models }).map(
        ({ field, message }) => ({
          field: `${place}.${field}`,
          message,
        }),
      ),
    );
  }
  return issues;
}

function validateRule(
  rule: RoutingRule,
  pool: RouterPool,
  { routerModel, models }: { readonly routerModel: string; readonly models: readonly DistributionModel[] },
): readonly FieldIssue[] {
  if (rule.refuse === true) return [];
  const model = rule.distributionModel ?? routerModel;
  if (!takesRouterPool(rule)) return validatePool(pool, model, models);
  // The router's pool is already validated for the router's own model.
  if (model === routerModel) return [];
  return validatePool(pool, model, models).map(({ field, message }) => ({
    field: 'distribution_model',
    message: `The rule takes the router's pool, but ${field}: ${message}`,
  }));
}

function validatePool(
  pool: RouterPool,
  modelId: string | undefined,
  models: readonly DistributionModel[],
): readonly FieldIssue[] {
  const { issues, report } = collectIssues();
  const emails = pool.users.map(({ email }) => [email, normalizeEmail(email)] as const);
  const names = pool.teams.map(({ name }) => [name, nameKey(name)] as const);
  for (const [path, name] of [...repeated('users', 'email', emails), ...repeated('teams', 'name', names)]) {
    report(path, `Listed twice: ${shownName(name)}`);
  }
  const unsound = unsoundPercentages(pool);
  for (const path of unsound) {
    report(path, 'percentage must be a number from 0 to 100 with at most 4 decimals');
  }
  // The model would only report invalid percentages again.
  if (unsound.length === 0) {
    const model = models.find((candidate) => candidate.id === modelId);
    issues.push(...(model?.validate(pool) ?? []));
  }
  return issues;
}

/** Returns the places of repeated names. @param names with the form in which they are compared */
function repeated(
  list: string,
  key: string,
  names: readonly (readonly [name: string, key: string])[],
): [path: string, name: string][] {
  const seen = new Set<string>();
  return names.flatMap(([name, compared], index) => {
    const again = seen.has(compared);
    seen.add(compared);
    return again ? [[`${list}[${index}].${key}`, name] as [string, string]] : [];
  });
}

function unsoundPercentages({ users, teams }: RouterPool): string[] {
  const sound = (value: number | undefined) =>
    value === undefined ||
    (Number.isFinite(value) &&
      value >= 0 &&
      value <= 100 &&
      Math.abs(value * 10_000 - Math.round(value * 10_000)) < 1e-6);
  const places = (list: string, entries: readonly { readonly percentage?: number | undefined }[]) =>
    entries.flatMap(({ percentage }, index) => (sound(percentage) ? [] : [`${list}[${index}].percentage`]));
  return [...places('users', users), ...places('teams', teams)];
}

import type { DistributionModel } from '../../engine/models/distribution-model.js';
import { collectIssues, type FieldIssue } from '../../engine/model/field-issue.js';
import type {
  ListedPool,
  RouterConfiguration,
  RoutingRule,
  RoutingStep,
} from '../../engine/model/router-configuration.js';
import { takesPool } from '../../engine/pool/pool.js';
import { partsOf } from './parts.js';
import { nameKey } from '../../text/canonical-text.js';
import { normalizeEmail } from '../../text/email-key.js';
import { shownName } from '../../text/shown-name.js';

/**
 * Validates a router's pool together with its settings: nobody is listed twice, and the pool is
 * valid for the distribution model. The same for the pool of every rule and step, which must be
 * as it is listed. Empty if there are no errors. Paths start at `users[0]`, `teams[0]` and, for the others,
 * as in `settings.rules[0].users[0]`.
 */
export function validateRouter(
  router: Pick<RouterConfiguration, 'settings' | 'users' | 'teams'>,
  models: readonly DistributionModel[],
): readonly FieldIssue[] {
  const { settings } = router;
  const model = settings?.distributionModel;
  const issues = [...validatePool(router, model, models)];
  for (const { part, path, rule } of partsOf<RoutingRule | RoutingStep>(settings ?? {})) {
    const whole = {
      pool: rule === undefined || takesPool(rule) ? router : rule,
      model: rule?.distributionModel ?? model,
    };
    const found = validatePart(part, whole, models);
    issues.push(...found.map(({ field, message }) => ({ field: `${path}.${field}`, message })));
    if ('trigger' in part && found.length === 0) {
      issues.push(...validateInherited(part, path, { settings, models }));
    }
  }
  return issues;
}

/** @param whole the pool that the part takes if it lists nobody, and its model */
function validatePart(
  part: RoutingRule | RoutingStep,
  whole: { readonly pool: ListedPool; readonly model: string | undefined },
  models: readonly DistributionModel[],
): readonly FieldIssue[] {
  const model = part.distributionModel ?? whole.model;
  if (!takesPool(part)) return validatePool(part, model, models);
  // The pool is already validated for the model of the whole, and a rule that refuses has no model.
  if (model === whole.model) return [];
  const isRule = 'trigger' in part;
  const taker = isRule ? "The rule takes the router's pool" : 'The step takes the pool that it follows';
  return validatePool(whole.pool, model, models).map(({ field, message }) => ({
    field: 'distribution_model',
    message: `${taker}, but ${field}: ${message}`,
  }));
}

/**
 * The router's steps without a pool, in a rule that has one and leaves steps out: they take its pool with
 * their own model.
 */
function validateInherited(
  rule: RoutingRule,
  path: string,
  { settings, models }: Pick<RouterConfiguration, 'settings'> & { models: readonly DistributionModel[] },
): readonly FieldIssue[] {
  if (takesPool(rule) || rule.steps != null) return [];
  return (settings?.steps ?? []).flatMap((step, index) => {
    if (!takesPool(step) || step.distributionModel == null) return [];
    return validatePool(rule, step.distributionModel, models).map(({ field, message }) => ({
      field: `${path}.steps`,
      message: `The rule leaves out steps, so settings.steps[${index}] takes its pool, but ${field}: ${message}`,
    }));
  });
}

function validatePool(
  { users, teams }: ListedPool,
  modelId: string | undefined,
  models: readonly DistributionModel[],
): readonly FieldIssue[] {
  const { issues, report } = collectIssues();
  const named = [
    ...users.map(({ email }, n) => [`users[${n}].email`, email, `user ${normalizeEmail(email)}`] as const),
    ...teams.map(({ name }, n) => [`teams[${n}].name`, name, `team ${nameKey(name)}`] as const),
  ];
  const seen = new Set<string>();
  for (const [path, name, compared] of named) {
    if (seen.has(compared)) report(path, `Listed twice: ${shownName(name)}`);
    seen.add(compared);
  }
  const model = models.find(({ id }) => id === modelId);
  const pool = { users, teams: teams.map((team) => ({ members: [], ...team })) };
  return [...issues, ...(model?.validate(pool) ?? [])];
}

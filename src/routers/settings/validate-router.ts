import {
  collectIssues,
  takesPool,
  type DistributionModel,
  type FieldIssue,
  type ListedPool,
  type RouterConfiguration,
  type RoutingRule,
  type RoutingStep,
} from '../../engine/index.js';
import { partsOf } from './parts.js';
import { nameKey } from '../../text/canonical-text.js';
import { normalizeEmail } from '../../text/email-key.js';
import { shownName } from '../../text/shown-name.js';

/**
 * Validates the pools of a router, its rules and its steps: nobody is listed twice, and each is valid for its
 * distribution model. Paths start at `users[0]`, `teams[0]`, or as in `settings.rules[0].users[0]`.
 */
export function validateRouter(
  router: Pick<RouterConfiguration, 'settings' | 'users' | 'teams'>,
  models: readonly DistributionModel[],
): readonly FieldIssue[] {
  const { settings } = router;
  const problemsOf = (pool: ListedPool, model: string | undefined): readonly FieldIssue[] =>
    validatePool(
      pool,
      models.find(({ id }) => id === model),
    );
  const issues = [...problemsOf(router, settings?.distributionModel)];
  for (const { part, path, rule } of partsOf<RoutingRule | RoutingStep>(settings ?? {})) {
    const whole = rule?.distributionModel ?? settings?.distributionModel;
    const model = part.distributionModel ?? whole;
    const at =
      (key: string, why: string) =>
      ({ field, message }: FieldIssue) => ({
        field: `${path}.${key}`,
        message: `${why}, but ${field}: ${message}`,
      });
    if (takesPool(part)) {
      // The pool is already validated for the model of the whole, and a rule that refuses has no model.
      const pool = rule === undefined || takesPool(rule) ? router : rule;
      const taker =
        'trigger' in part ? "The rule takes the router's pool" : 'The step takes the pool that it follows';
      const problems = model === whole ? [] : problemsOf(pool, model);
      issues.push(...problems.map(at('distribution_model', taker)));
      continue;
    }
    const problems = problemsOf(part, model);
    issues.push(...problems.map(({ field, message }) => ({ field: `${path}.${field}`, message })));
    if (!('trigger' in part) || problems.length > 0 || part.steps != null) continue;
    // It leaves out steps: those of the router without a pool take its pool with their own model.
    for (const [index, step] of (settings?.steps ?? []).entries()) {
      if (!takesPool(step) || step.distributionModel == null) continue;
      const taker = `The rule leaves out steps, so settings.steps[${index}] takes its pool`;
      issues.push(...problemsOf(part, step.distributionModel).map(at('steps', taker)));
    }
  }
  return issues;
}

function validatePool({ users, teams }: ListedPool, model?: DistributionModel): readonly FieldIssue[] {
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
  const pool = { users, teams: teams.map((team) => ({ members: [], ...team })) };
  return [...issues, ...(model?.validate(pool) ?? [])];
}

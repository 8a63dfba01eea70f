import type { DistributionModel } from '../distribution/distribution-model.js';
import { collectIssues, type FieldIssue } from '../field-issue.js';
import type { RouterConfiguration, RouterPool } from '../router-configuration.js';

/**
 * The checks that need the pool beside the settings: nobody listed twice, sound percentages, and what the chosen
 * distribution model asks of the pool. Empty when all is well; paths start at `users[0]` and `teams[0]`.
 */
export function validateRouter(
  router: Pick<RouterConfiguration, 'settings' | 'users' | 'teams'>,
  models: readonly DistributionModel[],
): readonly FieldIssue[] {
  const { issues, report } = collectIssues();
  for (const [path, name] of repeated(
    'users',
    'email',
    router.users.map((user) => user.email),
  )) {
    report(path, `Listed twice: ${name}`);
  }
  for (const [path, name] of repeated(
    'teams',
    'name',
    router.teams.map((team) => team.name),
  )) {
    report(path, `Listed twice: ${name}`);
  }
  const unsound = unsoundPercentages(router);
  for (const path of unsound) {
    report(path, 'percentage must be a number from 0 to 100 with at most 4 decimals');
  }
  // A model that adds them up would only repeat what is wrong with them.
  if (router.settings !== null && unsound.length === 0) {
    const id = router.settings.distributionModel;
    const model = models.find((candidate) => candidate.id === id);
    issues.push(...(model?.validate(router) ?? []));
  }
  return issues;
}

function repeated(list: string, key: string, names: readonly string[]): [path: string, name: string][] {
  const seen = new Set<string>();
  return names.flatMap((name, index) => {
    const folded = name.trim().toLowerCase();
    const again = seen.has(folded);
    seen.add(folded);
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

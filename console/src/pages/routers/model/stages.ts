import type { Content, Pool, Rule, Step } from './content';

/** A pool that is tried, and how it gives turns: the own one of a rule or router, or that of a step. */
export interface Stage {
  /** 0 for the own pool, 1 for the first step. */
  place: number;
  /** Of a step that has one. */
  name?: string | undefined;
  users: NonNullable<Pool['users']>;
  teams: NonNullable<Pool['teams']>;
  model: string;
  rotation: 'users' | 'teams';
  /** Whose people these are, where it names none itself. */
  from: 'rule' | 'router' | undefined;
}

const ROUND_ROBIN = 'round robin';

/** Whether a part leaves its pool to what it belongs to. */
const takesPool = ({ users, teams }: Pool): boolean => (users ?? teams) === undefined;

/** Whether a pool names somebody itself. */
export function namesPeople({ users = [], teams = [] }: Pool): boolean {
  return users.length + teams.length > 0;
}

const listAnybody = (steps: readonly Pool[]): boolean => !steps.every(takesPool);

/**
 * The pools that are tried one after the other for what a rule takes; without a rule, for what none takes.
 * What a rule leaves out is its router’s; what a step leaves out, that of what it belongs to. What has no
 * pool begins with its steps. Nothing is tried where a rule refuses.
 */
export function stagesOf(content: Content, rule?: Rule): Stage[] {
  if (rule?.refuse === true) return [];
  const { distribution_model: model = ROUND_ROBIN, rotation_type: rotation = 'users' } = content;
  const whole = {
    model: rule?.distribution_model ?? model,
    rotation: rule?.rotation_type ?? rotation,
  };
  // What the pools of the router’s steps have fits its model, not that of a rule.
  const inherited = (content.steps ?? []).map((step): Step =>
    takesPool(step) ? step : { distribution_model: model, rotation_type: rotation, ...step },
  );
  const steps = rule?.steps ?? inherited;
  const pool = rule === undefined ? poolOfRouter(content) : poolOfRule(content, rule, steps);
  const isInherited = rule !== undefined && rule.steps === undefined;
  return [{}, ...steps].flatMap((step: Step, place): Stage[] => {
    const from = takesPool(step) ? pool : step;
    if (from === null) return [];
    const { users = [], teams = [] } = from;
    const isOwn = place === 0 ? from === (rule ?? content) : from === step && !isInherited;
    return [
      {
        place,
        name: step.name,
        users,
        teams,
        model: step.distribution_model ?? whole.model,
        rotation: step.rotation_type ?? whole.rotation,
        from: isOwn ? undefined : from === rule ? 'rule' : 'router',
      },
    ];
  });
}

function poolOfRouter(content: Content): Pool | null {
  const { rules = [], steps = [] } = content;
  return !namesPeople(content) && (rules.length > 0 || listAnybody(steps)) ? null : content;
}

function poolOfRule(content: Content, rule: Rule, steps: readonly Step[]): Pool | null {
  if (!takesPool(rule)) return rule;
  const beginsWithSteps = listAnybody(steps) && (rule.steps !== undefined || !namesPeople(content));
  return beginsWithSteps ? null : content;
}

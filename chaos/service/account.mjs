// The account that all scenarios use: users who are always available, and a router of each model.
export const SLUG = 'chaos';

/** The routers by what they prove. `weights` are the shares of the users, in proportion. */
export const ROUTERS = {
  turns: {
    name: 'Turns',
    model: 'round robin',
    reason: 'round_robin',
    weights: { ada: 1, bob: 1, cyd: 1, dan: 1, eve: 1 },
  },
  shares: {
    name: 'Shares',
    model: 'percentage',
    reason: 'percentage',
    weights: { ada: 40, bob: 30, cyd: 20, dan: 10 },
  },
};

export const emailOf = (name) => `${name}@chaos.test`;

function router({ name, model, weights }) {
  const isPercentage = model === 'percentage';
  return {
    name,
    object_type: 'contacts',
    published: true,
    settings: { overwrite: true, distribution_model: model },
    users: Object.entries(weights).map(([user, weight]) => ({
      email: emailOf(user),
      ...(isPercentage ? { percentage: weight } : {}),
    })),
  };
}

/** A configuration file. JSON is YAML. */
export function configuration() {
  const users = Object.keys(ROUTERS.turns.weights).map((name) => ({ email: emailOf(name) }));
  const routers = Object.values(ROUTERS).map(router);
  return JSON.stringify({ accounts: [{ slug: SLUG, name: SLUG, users, routers }] });
}

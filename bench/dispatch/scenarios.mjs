// What the dispatch benchmark measures: names, and requests for each server process.

/** Yields the scenarios of the service's builds and of the baselines, each with a target for each process. */
export function* scenarios(processes, prepared, routerCounts) {
  for (const own of together(processes.map(({ builds }) => ownScenarios(builds, prepared, routerCounts)))) {
    yield own;
  }
  const baseline = (path, routers) =>
    processes.map(({ baseline: { address: url } }) => ({
      url,
      path,
      bodies: (n) => {
        const object = (n * 7919) % prepared.objects.length;
        return JSON.stringify({ object, router: n % routers });
      },
    }));
  if (process.env.BASELINES === 'off') return;
  for (const kind of ['naive', 'one']) {
    for (const count of routerCounts) yield [`${kind}, ${routers(count)}`, baseline(`/${kind}`, count)];
  }
}

/** Returns the scenarios of one process that runs one or several builds, alternately. */
export function ownScenarios(builds, { headers, routers: ids, objects }, routerCounts) {
  const create = (n) => JSON.stringify({ fields: { first_name: `Bench ${n}`, country: 'US' } });
  const dispatch = (count) => (n) =>
    JSON.stringify({ router_id: ids[n % count], object_id: objects[(n * 7919) % objects.length] });
  const requests = [
    ['POST /contacts', '/contacts', create],
    ...routerCounts.map((count) => [`dispatch, ${routers(count)}`, '/dispatch/router', dispatch(count)]),
  ];
  return requests.flatMap(([name, path, bodies]) =>
    Object.entries(builds).map(([build, { address: url }]) => [
      `${build}${name}`,
      [{ url, path, headers, bodies }],
    ]),
  );
}

/** Joins the targets of several processes, scenario by scenario. */
function together([first, ...others]) {
  return first.map(([name, targets], index) => [
    name,
    [...targets, ...others.flatMap((each) => each[index][1])],
  ]);
}

const routers = (count) => (count === 1 ? '1 router' : `${count} routers`);

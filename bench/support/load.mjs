// Sends load from a fixed number of keep-alive connections, each asking again as soon as it is answered.
import autocannon from 'autocannon';

/**
 * @param targets one for each server process: { url, path, headers, bodies }
 * @returns answers a second over all targets, and how many were not 2xx
 */
export async function measure(targets, clients, seconds) {
  const runs = targets.map((target, index) => run(target, share(clients, targets.length, index), seconds));
  const results = await Promise.all(runs);
  return {
    rate: results.reduce((sum, { rate }) => sum + rate, 0),
    failed: results.reduce((sum, { failed }) => sum + failed, 0),
  };
}

const share = (total, parts, index) => Math.floor(total / parts) + (index < total % parts ? 1 : 0);

async function run({ url, path, headers, bodies }, connections, seconds) {
  if (connections === 0) return { rate: 0, failed: 0 };
  let next = 0;
  const result = await autocannon({
    url,
    connections,
    duration: seconds,
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    requests: [
      {
        method: 'POST',
        path,
        setupRequest: (request) => ({ ...request, body: bodies(next++) }),
      },
    ],
  });
  return { rate: result['2xx'] / result.duration, failed: result.non2xx + result.errors };
}

export const median = (values) => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)];

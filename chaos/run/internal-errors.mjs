// A database that cannot serve is no internal error (promise P8).

/** Files a failure for each answer 5xx but 503, also within batches. */
export function failOnInternalErrors({ site, findings }) {
  for (const request of site.recorder.requests) {
    const statuses = request.answers.flatMap(({ status, body }) => [
      status,
      ...(body?.results ?? []).map((result) => result.status),
    ]);
    const found = statuses.find((status) => status >= 500 && status !== 503);
    if (found !== undefined) findings.fail(`A ${request.kind} was answered ${found}`, { request });
  }
}

import type { Application, Request } from 'express';

/** The part of an Express 5 router layer this needs; Express publishes no types for it. */
interface Layer {
  readonly route?: { readonly methods: Readonly<Record<string, boolean>> };
  match(path: string): boolean;
}

/** The methods under which the request's path has a route, upper case and sorted; empty for an unknown path. */
export function allowedMethods(request: Request): string[] {
  const { stack } = (request.app as Application).router as unknown as { stack: readonly Layer[] };
  const methods = new Set<string>();
  for (const layer of stack) {
    if (layer.route === undefined || !matches(layer, request.path)) continue;
    for (const method of Object.keys(layer.route.methods)) methods.add(method.toUpperCase());
  }
  methods.delete('_ALL');
  if (methods.has('GET')) methods.add('HEAD');
  return [...methods].sort();
}

function matches(layer: Layer, path: string): boolean {
  try {
    return layer.match(path);
  } catch {
    // A path that does not decode matches nothing.
    return false;
  }
}

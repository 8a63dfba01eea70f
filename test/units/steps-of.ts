/** Methods that go through a list or a text: all of it, but for indexOf. */
const LIST = [
  'every',
  'filter',
  'find',
  'findIndex',
  'forEach',
  'includes',
  'indexOf',
  'map',
  'some',
] as const;
const TEXT = ['includes', 'indexOf', 'match', 'replace', 'search', 'split', 'trimEnd'] as const;

type Methods = Record<string, (this: { readonly length: number }, ...args: unknown[]) => unknown>;

/** The items and characters that such methods go through while some work is done: its cost on any machine. */
export function stepsOf(work: () => unknown): number {
  let steps = 0;
  const undo = [
    ...LIST.map((name) => [Array.prototype, name] as const),
    ...TEXT.map((name) => [String.prototype, name] as const),
  ].map(([prototype, name]) => {
    const methods = prototype as unknown as Methods;
    const own = methods[name] as NonNullable<Methods[string]>;
    methods[name] = function (...args) {
      const result = own.apply(this, args);
      const from = name === 'indexOf' ? Number(args[1] ?? 0) : 0;
      const end = name === 'indexOf' && Number(result) >= 0 ? Number(result) : this.length;
      steps += end - from;
      return result;
    };
    return () => (methods[name] = own);
  });
  try {
    work();
  } finally {
    for (const each of undo) each();
  }
  return steps;
}

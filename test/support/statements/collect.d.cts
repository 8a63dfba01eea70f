/** Runs work, whose statements are then known as its own: collect.cjs. */
export function during<T>(kind: 'command', label: string, work: () => T): T;
export function flush(folder: string): void;

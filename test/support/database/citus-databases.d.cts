export function copyTemplate(
  template: string,
  name: string,
): Promise<{ readonly url: string; readonly serviceUrl: string }>;
export function createDatabase(name: string, before?: (url: string) => Promise<unknown>): Promise<string>;
export function dropDatabase(name: string): Promise<void>;

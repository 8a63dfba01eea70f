export function copyTemplate(template: string, name: string): Promise<string>;
export function asServed(url: string): string;
export function createDatabase(name: string, before?: (url: string) => Promise<unknown>): Promise<string>;
export function dropDatabase(name: string): Promise<void>;

export function copyTemplate(template: string, name: string): Promise<string>;
export function createDatabase(name: string): Promise<string>;
export function dropDatabase(name: string): Promise<void>;

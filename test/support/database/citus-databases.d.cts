export function copyTemplate(template: string, name: string): Promise<string>;
export function dropDatabase(name: string): Promise<void>;
export function nodes(): string[];
export function urlOf(node: string, database: string): string;

export function copyOfDataDir(dataDir: string, make: (made: string) => Promise<void>): Promise<void>;
export function copyOf(name: string, path: string, make: (made: string) => Promise<void>): Promise<void>;

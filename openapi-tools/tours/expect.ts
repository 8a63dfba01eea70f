/** @throws what is wrong, unless something holds */
export function expect(holds: boolean, what: string): asserts holds {
  if (!holds) throw new Error(`Not so: ${what}`);
}

/** Where the service is, and the credentials of a client. The runner sets them. */
declare const process: { readonly env: Readonly<Record<string, string | undefined>> };

const read = (name: string): string => {
  const value = process.env[name];
  expect(value !== undefined, `${name} is set`);
  return value;
};

export const BASE_URL = read('BASE_URL');
export const CREDENTIALS = { client_id: read('CLIENT_ID'), client_secret: read('CLIENT_SECRET') };

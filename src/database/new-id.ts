import { v7 } from 'uuid';

/** A new UUIDv7, for rows whose order of creation does not matter to anyone. Records get theirs from the database. */
export function newId(): string {
  return v7();
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** False for anything PostgreSQL would not take as a uuid; such an id is unknown, never an error. */
export function isId(value: string): boolean {
  return UUID.test(value);
}

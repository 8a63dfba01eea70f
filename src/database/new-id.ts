import { v7 } from 'uuid';

/** A new UUIDv7, for rows whose order of creation does not matter to anyone. Records get theirs from the database. */
export function newId(): string {
  return v7();
}

/** The least id that anything of that instant or later can have, for finding rows by time through their ids. */
export function firstIdAt(at: Date): string {
  const time = Math.max(0, at.getTime()).toString(16).padStart(12, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}-7000-8000-000000000000`;
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** False for anything PostgreSQL would not take as a uuid; such an id is unknown, never an error. */
export function isId(value: string): boolean {
  return UUID.test(value);
}

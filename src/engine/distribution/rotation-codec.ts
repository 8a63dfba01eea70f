import type { MemberState, Ledger, RotationState } from '../model/rotation-state.js';

/** A rotation state as compact JSON: per member the credit in hexadecimal and the last turn. */
export interface EncodedRotationState {
  readonly seq: number;
  readonly rotations: Readonly<
    Record<string, Readonly<Record<string, readonly [credit: string, last: number]>>>
  >;
}

/** Turns a rotation state into a JSON value that loses nothing; about 80 bytes per member. */
export function encodeRotationState(state: RotationState): EncodedRotationState {
  const encodeRotation = (rotation: Ledger) =>
    Object.fromEntries(
      [...rotation].map(([key, { credit, last }]) => [key, [credit.toString(16), last] as const]),
    );
  return {
    seq: state.seq,
    rotations: Object.fromEntries(
      [...state.ledgers].map(([name, rotation]) => [name, encodeRotation(rotation)]),
    ),
  };
}

/**
 * Reads what `encodeRotationState` made; the empty state for null or undefined.
 * @throws TypeError for anything else: a guess would forget turns
 */
export function decodeRotationState(encoded: unknown): RotationState {
  if (encoded === null || encoded === undefined) {
    return { seq: 0, ledgers: new Map() };
  }
  const { seq, rotations } = asObject(encoded);
  return {
    seq: asCount(seq),
    ledgers: new Map(
      Object.entries(asObject(rotations)).map(([name, members]) => [
        name,
        new Map(Object.entries(asObject(members)).map(([key, member]) => [key, decodeMember(member)])),
      ]),
    ),
  };
}

function decodeMember(encoded: unknown): MemberState {
  const [credit, last] = Array.isArray(encoded) ? (encoded as unknown[]) : [];
  const match = typeof credit === 'string' ? /^(-?)([0-9a-f]+)$/.exec(credit) : null;
  if (match === null) {
    throw malformed();
  }
  const magnitude = BigInt(`0x${match[2] ?? ''}`);
  return { credit: match[1] === '-' ? -magnitude : magnitude, last: asCount(last) };
}

function asObject(value: unknown): Record<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw malformed();
  }
  return value as Record<string, unknown>;
}

function asCount(value: unknown): number {
  if (typeof value !== 'number' || !Number.isSafeInteger(value) || value < 0) {
    throw malformed();
  }
  return value;
}

function malformed(): TypeError {
  return new TypeError('Not an encoded rotation state');
}

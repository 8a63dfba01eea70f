import {
  ROUTER_ROTATION_KEY,
  EMPTY_ROTATION_STATE,
  type Ledger,
  type MemberState,
  type RotationState,
} from '../model/rotation.js';

/**
 * A rotation state as compact JSON: the ledgers by name; in each ledger, by member, the credit in hexadecimal
 * and the number of the last turn. The names of a rule's ledgers start with the rotation key and a line
 * break.
 */
export interface EncodedRotationState {
  readonly seq: number;
  readonly rotations: Readonly<
    Record<string, Readonly<Record<string, readonly [credit: string, last: number]>>>
  >;
}

/**
 * Encodes a rotation state as a JSON value without loss, in about 80 bytes per member.
 * @param rotationKey the key under which the state is stored
 */
export function encodeRotationState(state: RotationState, rotationKey: string): EncodedRotationState {
  const prefix = prefixOf(rotationKey);
  const encodeLedger = (ledger: Ledger) =>
    Object.fromEntries(
      [...ledger].map(([key, { credit, last }]) => [key, [credit.toString(16), last] as const]),
    );
  return {
    seq: state.seq,
    rotations: Object.fromEntries(
      [...state.ledgers].map(([name, ledger]) => [`${prefix}${name}`, encodeLedger(ledger)]),
    ),
  };
}

/**
 * Decodes the result of `encodeRotationState`. Null and undefined give the empty state.
 * @param rotationKey the key under which the state is stored
 * @throws TypeError for anything else, including the state of another rotation: ignoring it would lose turns
 */
export function decodeRotationState(encoded: unknown, rotationKey: string): RotationState {
  if (encoded === null || encoded === undefined) {
    return EMPTY_ROTATION_STATE;
  }
  const prefix = prefixOf(rotationKey);
  const { seq, rotations } = asObject(encoded);
  return {
    seq: asCount(seq),
    ledgers: new Map(
      Object.entries(asObject(rotations)).map(([name, members]) => [
        withoutPrefix(name, prefix),
        new Map(Object.entries(asObject(members)).map(([key, member]) => [key, decodeMember(member)])),
      ]),
    ),
  };
}

/** The prefix of the stored names of a rule's ledgers. The name of a rule contains no line break. */
function prefixOf(rotationKey: string): string {
  return rotationKey === ROUTER_ROTATION_KEY ? '' : `${rotationKey}\n`;
}

function withoutPrefix(name: string, prefix: string): string {
  if (!name.startsWith(prefix)) {
    throw malformed();
  }
  return name.slice(prefix.length);
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

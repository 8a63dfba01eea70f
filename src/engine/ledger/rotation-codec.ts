import {
  ROUTER_ROTATION_KEY,
  EMPTY_ROTATION_STATE,
  type MemberState,
  type RotationState,
} from '../model/rotation.js';

type Json = Readonly<Record<string, unknown>>;

/**
 * A rotation state as JSON: by ledger and member the credit in hexadecimal and the number of the last turn.
 * The names of a rule's ledgers start with the rotation key and a line break.
 */
export interface EncodedRotationState {
  readonly seq: number;
  readonly rotations: Readonly<
    Record<string, Readonly<Record<string, readonly [credit: string, last: number]>>>
  >;
}

/** A rotation state as JSON, without loss. @param rotationKey the key under which it is stored */
export function encodeRotationState(
  { seq, ledgers }: RotationState,
  rotationKey: string,
): EncodedRotationState {
  const rotations = [...ledgers].map(([name, ledger]) => {
    const members = [...ledger].map(([key, { credit, last }]) => [key, [credit.toString(16), last]] as const);
    return [prefixOf(rotationKey) + name, Object.fromEntries(members)] as const;
  });
  return { seq, rotations: Object.fromEntries(rotations) };
}

/**
 * Decodes what `encodeRotationState` returns; null and undefined are the empty state.
 * @throws TypeError for anything else, such as the state of another rotation: ignoring it would lose turns
 */
export function decodeRotationState(encoded: unknown, rotationKey: string): RotationState {
  if (encoded === null || encoded === undefined) return EMPTY_ROTATION_STATE;
  const prefix = prefixOf(rotationKey);
  const { seq, rotations } = asObject(encoded);
  const ledgers = Object.entries(asObject(rotations)).map(([name, members]) => {
    if (!name.startsWith(prefix)) throw malformed();
    const ledger = Object.entries(asObject(members)).map(([key, each]) => [key, decodeMember(each)] as const);
    return [name.slice(prefix.length), new Map(ledger)] as const;
  });
  return { seq: asCount(seq), ledgers: new Map(ledgers) };
}

/** The prefix of the stored names of a rule's ledgers. The name of a rule contains no line break. */
function prefixOf(rotationKey: string): string {
  return rotationKey === ROUTER_ROTATION_KEY ? '' : `${rotationKey}\n`;
}

function decodeMember(encoded: unknown): MemberState {
  const [credit, last] = Array.isArray(encoded) ? (encoded as unknown[]) : [];
  const [, sign, digits] = /^(-?)([0-9a-f]+)$/.exec(typeof credit === 'string' ? credit : '') ?? [];
  if (digits === undefined) throw malformed();
  const magnitude = BigInt(`0x${digits}`);
  return { credit: sign === '-' ? -magnitude : magnitude, last: asCount(last) };
}

function asObject(value: unknown): Json {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw malformed();
  return value as Json;
}

function asCount(value: unknown): number {
  if (typeof value !== 'number' || !Number.isSafeInteger(value) || value < 0) throw malformed();
  return value;
}

function malformed(): TypeError {
  return new TypeError('Not an encoded rotation state');
}

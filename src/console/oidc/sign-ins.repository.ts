import { Injectable } from '@nestjs/common';
import { dropEnded, findHashes, hashesIn } from '../../auth/index.js';
import type { Queryable } from '../../database/index.js';

/** A sign-in that is under way at the provider. */
export interface SignIn {
  readonly state: string;
  readonly nonce: string;
  /** That of PKCE. */
  readonly verifier: string;
  /** The page of the console that opens afterwards. */
  readonly path: string;
}

const ADD = {
  name: 'console_add_sign_in',
  text: `INSERT INTO console_sign_ins (token_hash, state, nonce, verifier, path, ends_at)
    VALUES ($1, $2, $3, $4, $5, now() + interval '10 minutes')`,
};

const FIND = { name: 'console_find_sign_ins', text: hashesIn('console_sign_ins') };

const TAKE = {
  name: 'console_take_sign_in',
  text: `DELETE FROM console_sign_ins WHERE token_hash = $1 AND ends_at > now()
    RETURNING state, nonce, verifier, path`,
};

const DROP_ENDED = { name: 'console_sweep_sign_ins', text: dropEnded('console_sign_ins') };

/** Keeps sign-ins while the browser is at the provider, under the hash of its cookie. */
@Injectable()
export class SignInsRepository {
  async add(db: Queryable, tokenHash: Buffer, { state, nonce, verifier, path }: SignIn): Promise<void> {
    await db.query(ADD, [tokenHash, state, nonce, verifier, path]);
  }

  /** Finds those that are there. @param keys hashes in hex */
  find(db: Queryable, keys: readonly string[]): Promise<ReadonlyMap<string, true>> {
    return findHashes(db, FIND, [keys]);
  }

  /** Takes a sign-in, which nobody else gets then. */
  async take(db: Queryable, tokenHash: Buffer): Promise<SignIn | undefined> {
    const [signIn] = await db.query<SignIn>(TAKE, [tokenHash]);
    return signIn;
  }

  /** Deletes those that nobody came back for. @returns how many */
  async dropEnded(db: Queryable, most: number): Promise<number> {
    return (await db.query(DROP_ENDED, [most])).length;
  }
}

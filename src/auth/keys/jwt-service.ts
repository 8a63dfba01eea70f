import { JwtService } from '@nestjs/jwt';
import type { SigningKey } from './token-keys.js';

/** Returns the service that signs with a key. */
export function jwtService({ algorithm, key }: SigningKey): JwtService {
  // The types know strings and buffers only; jsonwebtoken signs with a KeyObject.
  const secret = key as unknown as Buffer;
  return new JwtService(algorithm === 'HS256' ? { secret } : { privateKey: secret });
}

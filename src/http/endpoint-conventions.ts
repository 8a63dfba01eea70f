import { Injectable } from '@nestjs/common';
import { ApplicationConfig } from '@nestjs/core';
import type { Request } from 'express';
import type { DomainError } from '../errors/domain-error.js';

/** What differs at one path from the rest of the service. */
export interface EndpointConvention {
  /** Such as `/oauth2/token`; without the global prefix of a host application. */
  readonly path: string;
  /**
   * Media types of bodies beside JSON, in lower case. Forms are parsed; the route reads any other body
   * itself.
   */
  readonly mediaTypes?: readonly string[];
  /** Most bytes of a body. Default and upper bound: `BODY_LIMIT`. */
  readonly bodyLimit?: number;
  /** Whether bodies may be compressed. Default: true. */
  readonly compressed?: boolean;
  /**
   * Changes how an error of this path is answered, also an error that is raised before the route is reached.
   */
  readonly describeError?: (error: DomainError) => DomainError;
}

/**
 * The conventions that features have registered, by path: what reads bodies, and errors raised before a route
 * is reached, know only the path of a request.
 */
@Injectable()
export class EndpointConventions {
  private readonly conventions = new Map<string, EndpointConvention>();

  constructor(private readonly application: ApplicationConfig) {}

  /** Registers a convention. Replaces the one that was registered for the same path, if any. */
  add(convention: EndpointConvention): void {
    this.conventions.set(keyOf(convention.path), convention);
  }

  /** Finds the convention for the path of a request, whatever its method. */
  of({ baseUrl, path }: Request): EndpointConvention | undefined {
    const whole = keyOf(baseUrl + path);
    const prefix = keyOf(this.application.getGlobalPrefix().replace(/^\/*(?=.)/, '/'));
    return whole.startsWith(prefix) ? this.conventions.get(whole.slice(prefix.length)) : undefined;
  }
}

/** Express ignores case and a slash at the end, so paths that differ only in these have the same key. */
function keyOf(path: string): string {
  return path.replace(/\/$/, '').toLowerCase();
}

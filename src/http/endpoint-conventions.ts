import { Injectable } from '@nestjs/common';
import { ApplicationConfig } from '@nestjs/core';
import type { Request } from 'express';
import type { DomainError } from '../errors/domain-error.js';

/** What is different at one path from the rest of the service. */
export interface EndpointConvention {
  /** Such as `/oauth2/token`; without the global prefix of a host application. */
  readonly path: string;
  /**
   * Media types of request bodies beside JSON, in lower case. Forms are parsed, other bodies are left to the
   * route.
   */
  readonly mediaTypes?: readonly string[];
  /** What is answered for an error of this path, one that is raised before its route is reached included. */
  readonly describeError?: (error: DomainError) => DomainError;
}

/**
 * The conventions that features have registered. What happens before a route is reached can know only its
 * path.
 */
@Injectable()
export class EndpointConventions {
  private readonly conventions = new Map<string, EndpointConvention>();

  constructor(private readonly application: ApplicationConfig) {}

  /**
   * Registers a convention, before the application listens. Replaces one that was registered for the same
   * path.
   */
  add(convention: EndpointConvention): void {
    this.conventions.set(keyOf(convention.path), convention);
  }

  /** The convention for the path of a request, whatever its method. */
  of({ baseUrl, path }: Request): EndpointConvention | undefined {
    const whole = keyOf(baseUrl + path);
    const prefix = keyOf(this.application.getGlobalPrefix().replace(/^\/*(?=.)/, '/'));
    return whole.startsWith(prefix) ? this.conventions.get(whole.slice(prefix.length)) : undefined;
  }
}

/** Paths that reach the same route have the same key: Express ignores case, and a slash at the end. */
function keyOf(path: string): string {
  return path.replace(/\/$/, '').toLowerCase();
}

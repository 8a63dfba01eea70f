import type { ApplicationConfig } from '@nestjs/core';
import type { Request } from 'express';
import { EndpointConventions } from './endpoint-conventions.js';

const CONVENTION = { path: '/oauth2/token' };

function conventionsUnder(prefix: string): EndpointConventions {
  const conventions = new EndpointConventions({ getGlobalPrefix: () => prefix } as ApplicationConfig);
  conventions.add(CONVENTION);
  return conventions;
}

const request = (path: string, baseUrl = ''): Request => ({ path, baseUrl }) as Request;

describe('the convention of a path', () => {
  it.each(['/oauth2/token', '/oauth2/token/', '/OAuth2/Token'])(
    'is found for a request of %s, which reaches its route [contract 2]',
    (path) => expect(conventionsUnder('').of(request(path))).toBe(CONVENTION),
  );

  it.each([
    '/contacts',
    '/',
    '//oauth2/token',
    '/oauth2/token//',
    '/oauth2/token/x',
    '/api/oauth2/token',
    'oauth2/token',
  ])('is not found for a request of %s, which does not', (path) =>
    expect(conventionsUnder('').of(request(path))).toBeUndefined(),
  );

  it.each(['api', '/api', '/api/', 'API'])('is found under the global prefix %s of a host', (prefix) => {
    const conventions = conventionsUnder(prefix);
    expect(conventions.of(request('/api/oauth2/token'))).toBe(CONVENTION);
    expect(conventions.of(request('/oauth2/token', '/api'))).toBe(CONVENTION);
    expect(conventions.of(request('/oauth2/token'))).toBeUndefined();
    expect(conventions.of(request('/apioauth2/token'))).toBeUndefined();
  });
});

// A company's provider of OpenID Connect, for tests and walks. It asks nobody for a password or for consent.
import { createServer } from 'node:http';

const CLIENT = { client_id: 'fairlead', client_secret: 'the secret of fairlead at the provider' };

/** The settings of a service that knows the provider. */
export const settingsOf = (issuer, address) => ({
  CONSOLE_URL: address,
  OIDC_ISSUER: issuer,
  OIDC_CLIENT_ID: CLIENT.client_id,
  OIDC_CLIENT_SECRET: CLIENT.client_secret,
  OIDC_ROLES_CLAIM: 'groups',
});

/**
 * Starts the provider on a port of 127.0.0.1; left out, on a free one.
 * @param person says whom it signs in, by the claims of that person; `denied` does not let the sign-in go on
 * @param address of the service that people come from
 */
export async function startProvider({ person, address, port = 0 }) {
  const { Provider } = await import('oidc-provider');
  const server = createServer();
  await new Promise((done) => server.listen(port, '127.0.0.1', done));
  const issuer = `http://127.0.0.1:${server.address().port}`;
  const provider = new Provider(issuer, {
    clients: [{ ...CLIENT, redirect_uris: [`${address}/console/oidc/callback`] }],
    claims: { openid: ['sub'], email: ['email', 'email_verified', 'groups'], profile: ['name'] },
    findAccount: (_, sub) => ({ accountId: sub, claims: () => ({ ...person(), sub }) }),
    features: { devInteractions: { enabled: false } },
    interactions: { url: (_, { uid }) => `/interaction/${uid}` },
    loadExistingGrant: async ({ oidc }) => {
      const grant = new oidc.provider.Grant({
        clientId: oidc.client.clientId,
        accountId: oidc.session.accountId,
      });
      grant.addOIDCScope('openid email profile');
      await grant.save();
      return grant;
    },
  });
  const callback = provider.callback();
  server.on('request', (request, response) => {
    if (!request.url.startsWith('/interaction/')) return void callback(request, response);
    const { sub } = person();
    const result = sub === 'denied' ? { error: 'access_denied' } : { login: { accountId: sub } };
    provider.interactionFinished(request, response, result).catch(() => response.destroy());
  });
  return {
    issuer,
    stop: async () => {
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    },
  };
}

// An OpenID provider on loopback with one client, for tests: `oidc-provider` does all of it, this only configures it.
// Environment: CLIENT_ID, CLIENT_SECRET, REDIRECT_URI, and optionally PORT (0 = a free one), ACCESS_TOKEN_SECONDS, and
// RESOURCE_SERVER, the audience and scope (as JSON) of an API that clients get JWTs for by client_credentials; such
// clients register themselves (RFC 7591) and are deleted again (RFC 7592).
// Prints one line of JSON with its address when it listens, and one for each request to its token endpoint that it
// granted or refused and each grant that ended. Any login name with any password signs in.

import { once } from "node:events";
import { createServer } from "node:http";

import { Provider } from "oidc-provider";

function required(name) {
  const value = process.env[name];
  if (!value) {
    console.error(`The environment variable ${name} is missing.`);
    process.exit(2);
  }
  return value;
}

const accessTokenSeconds = Number(process.env.ACCESS_TOKEN_SECONDS ?? 5);

function forMachines({ audience, scope }) {
  return {
    clientCredentials: { enabled: true },
    registration: { enabled: true },
    registrationManagement: { enabled: true },
    resourceIndicators: {
      enabled: true,
      defaultResource: () => `urn:${audience}`,
      getResourceServerInfo: () => ({ audience, scope, accessTokenFormat: "jwt", accessTokenTTL: accessTokenSeconds }),
    },
  };
}

const configuration = {
  clients: [
    {
      client_id: required("CLIENT_ID"),
      client_secret: required("CLIENT_SECRET"),
      redirect_uris: [required("REDIRECT_URI")],
      grant_types: ["authorization_code", "refresh_token"],
      response_types: ["code"],
      token_endpoint_auth_method: "client_secret_basic",
    },
  ],
  // With the default of 15 s a token would be accepted long after its end.
  clockTolerance: 0,
  pkce: { required: () => true },
  rotateRefreshToken: true,
  scopes: ["openid", "offline_access", "profile", "email", "groups"],
  claims: { openid: ["sub"], profile: ["name"], email: ["email", "email_verified"], groups: ["groups"] },
  // The claims of `profile` come from userinfo, as an API behind this provider asks for them there.
  conformIdTokenClaims: true,
  // A login of ann@admins is in the group admins.
  findAccount: (_context, sub) => ({
    accountId: sub,
    claims: () => ({
      sub,
      name: `Account ${sub}`,
      email: `${sub}.example`,
      email_verified: !sub.startsWith("unverified"),
      groups: sub.split("@").slice(1),
    }),
  }),
  features: {
    devInteractions: { enabled: true },
    revocation: { enabled: true },
    introspection: { enabled: true },
    ...(process.env.RESOURCE_SERVER ? forMachines(JSON.parse(process.env.RESOURCE_SERVER)) : {}),
  },
  ttl: {
    AccessToken: accessTokenSeconds,
    AuthorizationCode: 60,
    Grant: 3600,
    IdToken: 3600,
    Interaction: 600,
    RefreshToken: 3600,
    Session: 3600,
  },
  cookies: { keys: ["only for tests on loopback"] },
};

const server = createServer();
server.listen(Number(process.env.PORT ?? 0), "127.0.0.1");
await once(server, "listening");
const issuer = `http://127.0.0.1:${server.address().port}`;
const provider = new Provider(issuer, configuration);
for (const event of ["grant.success", "grant.error", "grant.revoked"]) {
  provider.on(event, (context) => {
    console.log(JSON.stringify({ event, grant_type: context.oidc?.params?.grant_type ?? null }));
  });
}
server.on("request", provider.callback());
console.log(JSON.stringify({ url: issuer }));

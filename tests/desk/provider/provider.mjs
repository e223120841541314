// A real OpenID Connect provider: node provider.mjs PORT REDIRECT_URI.
// It accepts any password. The login NAME has the verified address NAME@acme.example.
import Provider from 'oidc-provider'

const [port, redirectUri] = process.argv.slice(2)

const claims = (login) => ({
  sub: login,
  email: `${login}@Acme.example`,
  email_verified: true,
})

const provider = new Provider(`http://127.0.0.1:${port}`, {
  clients: [{
    client_id: 'desk',
    client_secret: 'secret-of-the-desk-at-the-provider',
    redirect_uris: [redirectUri],
  }],
  claims: { openid: ['sub'], email: ['email', 'email_verified'] },
  cookies: { keys: ['a key that signs cookies of the tests'] },
  features: { devInteractions: { enabled: true } },
  findAccount: (_, id) => ({ accountId: id, claims: () => claims(id) }),
  pkce: { required: () => true },
})

provider.listen(Number(port), '127.0.0.1', () => console.log('listening'))

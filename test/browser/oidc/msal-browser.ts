import { PublicClientApplication } from '@azure/msal-browser'

import { type PageClient, toState } from './page-client.ts'

const tenant = '9122040d-6c67-4c5b-b112-36a304b66dad'

export function open(provider: string): PageClient {
  const app = new PublicClientApplication({
    auth: {
      clientId: 'shop',
      authority: `${provider}/${tenant}`,
      knownAuthorities: [new URL(provider).host],
      redirectUri: `${location.origin}/`,
      postLogoutRedirectUri: `${location.origin}/`,
    },
  })
  const scopes = ['profile']
  return {
    async load() {
      await app.initialize()
      try {
        await app.handleRedirectPromise()
        const [account] = app.getAllAccounts()
        if (!account) return {}
        app.setActiveAccount(account)
        const { accessToken } = await app.acquireTokenSilent({ scopes })
        return { name: account.name, token: accessToken }
      } catch (error) {
        return toState(error)
      }
    },
    login: () => app.loginRedirect({ scopes }),
    refresh: async () => (await app.acquireTokenSilent({ scopes, forceRefresh: true })).accessToken,
    logout: () => app.logoutRedirect(),
  }
}

import Keycloak from 'keycloak-js'

import type { PageClient, PageState } from './page-client.ts'

export function open(provider: string): PageClient {
  const keycloak = new Keycloak({ url: provider, realm: 'shop', clientId: 'shop' })
  let refused: PageState = {}
  keycloak.onAuthError = (reason) => (refused = { error: reason?.error })
  return {
    async load() {
      if (location.pathname === '/silent') {
        parent.postMessage(location.href, location.origin)
        return {}
      }
      const silentCheckSsoRedirectUri = `${location.origin}/silent`
      await keycloak
        .init({ onLoad: 'check-sso', silentCheckSsoRedirectUri, pkceMethod: 'S256' })
        .catch(() => false)
      const { name } = (keycloak.idTokenParsed ?? {}) as { name?: string }
      return { ...refused, name, token: keycloak.token }
    },
    login: () => keycloak.login(),
    async refresh() {
      await keycloak.updateToken(-1)
      return keycloak.token
    },
    logout: () => keycloak.logout({ redirectUri: `${location.origin}/` }),
  }
}

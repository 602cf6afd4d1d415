import { UserManager } from 'oidc-client-ts'

import { isCallback, type PageClient, toState } from './page-client.ts'

/** With a refresh token, or without one by a hidden frame. */
function openWith(provider: string, scope: string): PageClient {
  const manager = new UserManager({
    authority: `${provider}/oidc`,
    client_id: 'shop',
    redirect_uri: `${location.origin}/`,
    silent_redirect_uri: `${location.origin}/silent`,
    post_logout_redirect_uri: `${location.origin}/`,
    scope,
  })
  return {
    async load() {
      try {
        if (isCallback()) await manager.signinCallback()
      } catch (error) {
        return toState(error)
      }
      if (location.pathname === '/silent') return {}
      history.replaceState(null, '', '/')
      const user = await manager.getUser()
      return { name: user?.profile.name, token: user?.access_token }
    },
    login: () => manager.signinRedirect(),
    refresh: async () => (await manager.signinSilent())?.access_token,
    logout: () => manager.signoutRedirect(),
  }
}

export const open = (provider: string): PageClient =>
  openWith(provider, 'openid profile offline_access')

export const openWithFrame = (provider: string): PageClient => openWith(provider, 'openid profile')

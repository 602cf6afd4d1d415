import { Auth0Client } from '@auth0/auth0-spa-js'

import { isCallback, type PageClient, toState } from './page-client.ts'

/** With a refresh token, or without one by a hidden frame and `web_message`. */
function openWith(provider: string, useRefreshTokens: boolean): PageClient {
  const client = new Auth0Client({
    domain: provider,
    clientId: 'shop',
    useRefreshTokens,
    cacheLocation: 'localstorage',
    authorizationParams: { redirect_uri: `${location.origin}/`, audience: 'https://api.test/' },
  })
  return {
    async load() {
      try {
        if (isCallback()) await client.handleRedirectCallback()
      } catch (error) {
        return toState(error)
      }
      history.replaceState(null, '', '/')
      const user = await client.getUser()
      return user ? { name: user.name, token: await client.getTokenSilently() } : {}
    },
    login: () => client.loginWithRedirect(),
    refresh: () => client.getTokenSilently({ cacheMode: 'off' }),
    logout: () => client.logout({ logoutParams: { returnTo: `${location.origin}/` } }),
  }
}

export const open = (provider: string): PageClient => openWith(provider, true)

export const openWithFrame = (provider: string): PageClient => openWith(provider, false)

/** A client of OpenID Connect in a page, which the tests of all clients use alike. */
export interface PageClient {
  /** Completes a login whose response is in the address, and returns the state of the page. */
  load(): Promise<PageState>
  /** Leaves the page for the login page of the provider. */
  login(): Promise<unknown>
  /** Returns a new access token. */
  refresh(): Promise<string | undefined>
  /** Leaves the page for the logout of the provider. */
  logout(): Promise<unknown>
}

/** The user who is logged in, with the access token, or the error of the login. */
export interface PageState {
  name?: string | undefined
  token?: string | undefined
  error?: string | undefined
}

/** Opens a client in a page. */
export type OpenClient = (provider: string) => PageClient

/** Whether the address has the response of a login. */
export function isCallback(): boolean {
  return /[?&#](?:code|error)=/.test(location.search + location.hash)
}

/** Returns the code of an error that the client throws for a refused login. */
export function toState(error: unknown): PageState {
  const { error: code, errorCode } = error as { error?: string; errorCode?: string }
  return { error: code ?? errorCode ?? String(error) }
}

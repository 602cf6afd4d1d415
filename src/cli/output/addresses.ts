import { networkInterfaces } from 'node:os'

/**
 * Returns the URLs at which a server can be reached, the one for this machine first. A server that listens on
 * every address of the machine has a URL for each.
 */
export function addressesOf(url: string): string[] {
  const parsed = new URL(url)
  const isEverywhere = parsed.hostname === '0.0.0.0' || parsed.hostname === '[::]'
  if (!isEverywhere) return [url]
  const external = Object.values(networkInterfaces()).flatMap((addresses = []) =>
    addresses.filter(({ internal, family }) => !internal && family === 'IPv4'),
  )
  return ['localhost', ...external.map(({ address }) => address)].map((host) =>
    url.replace(parsed.hostname, host),
  )
}

/**
 * Returns the URL of the home page, which reads the token from the query. The page is at the root, whatever
 * the path prefix of the mock (option `base`).
 */
export function homeOf(url: string, token?: string): string {
  const { origin } = new URL(addressesOf(url)[0] ?? url)
  return token === undefined ? `${origin}/` : `${origin}/?token=${encodeURIComponent(token)}`
}

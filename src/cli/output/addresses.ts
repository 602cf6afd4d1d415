import { networkInterfaces } from 'node:os'

/** The URLs of a server, the one for this machine first; a wildcard address has a URL for each interface. */
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

/** The URL of the home page, with its token; the page is at the root, whatever the `base` of the mock is. */
export function homeOf(url: string, token?: string): string {
  const { origin } = new URL(addressesOf(url)[0] ?? url)
  return token === undefined ? `${origin}/` : `${origin}/?token=${encodeURIComponent(token)}`
}

import { networkInterfaces } from 'node:os'

/** The URLs that a server can be reached by, the one for this machine first. */
export function addressesOf(url: string): string[] {
  const parsed = new URL(url)
  const isEverywhere = parsed.hostname === '0.0.0.0' || parsed.hostname === '[::]'
  if (!isEverywhere) return [url]
  const outer = Object.values(networkInterfaces()).flatMap((addresses = []) =>
    addresses.filter(({ internal, family }) => !internal && family === 'IPv4'),
  )
  return ['localhost', ...outer.map(({ address }) => address)].map((host) =>
    url.replace(parsed.hostname, host),
  )
}

/** The page that a browser is sent to, whatever the base; it takes the token from its address. */
export function homeOf(url: string, token?: string): string {
  const { origin } = new URL(addressesOf(url)[0] ?? url)
  return token === undefined ? `${origin}/` : `${origin}/?token=${encodeURIComponent(token)}`
}

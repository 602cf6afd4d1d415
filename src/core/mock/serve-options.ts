/** The options of the HTTP server: the address, the certificate, access, and the limits on time and connections. */
export interface ServeOptions extends AccessOptions, ServerLimits {
  /** The port; 0 picks a free port. @default 3000 */
  port?: number
  /** The host to listen on; `localhost` listens on both 127.0.0.1 and ::1. @default 'localhost' */
  host?: string
  /** Whether to serve HTTPS, with the given or a self-signed certificate. @default false */
  https?: boolean | Certificate
  /** A folder of static files, or several, served for paths that the mock does not own. */
  static?: string | readonly string[]
  /**
   * Connect and Express middlewares, which answer requests or pass them on to the mock. Needs the package
   * `express`.
   */
  middlewares?: readonly (Middleware | MiddlewareFile)[]
  /** Whether symbolic links may lead out of the folders of `static`. @default false */
  staticSymlinks?: boolean
  /** How long `close` waits for open responses, in milliseconds. @default 5000 */
  grace?: number
}

/**
 * A middleware: `(request, response, next)`, or `(error, request, response, next)` to handle errors. The types
 * of its parameters are those of Express or of Connect, which this package does not depend on.
 */
export type Middleware = (
  ...parameters: [first: never, second: never, third: never, fourth: never]
) => unknown

/** The middlewares of a file, which error messages name. */
export interface MiddlewareFile {
  file: string
  handlers: readonly Middleware[]
}

/** The options that decide who may use a server: origins, hosts, proxies and the token. */
export interface AccessOptions {
  /**
   * The origins whose pages can read responses (CORS), with credentials: `loopback` for origins of this
   * machine, origins such as `https://app.example.com`, `*` for all, or `none`. @default 'loopback'
   */
  corsOrigin?: string | readonly string[]
  /** Additional `Host` names to accept: `.example.com` includes subdomains, `*` accepts any name. */
  allowHost?: string | readonly string[]
  /**
   * Whether `Forwarded`, `X-Forwarded-Host` and `X-Forwarded-Proto` of a proxy decide the scheme and host of
   * the URLs in `Link` and `Location`. A client can forge these headers where no proxy sets them. @default false
   */
  trustProxy?: boolean
  /** The token for `/__mock`, required when the server listens beyond loopback. @default random */
  token?: string
}

/** The limits of a server on time and connections. */
export interface ServerLimits {
  /** The time limit for receiving the headers of a request, in milliseconds. @default 30000 */
  headersTimeout?: number
  /** The time limit for receiving a whole request, in milliseconds. @default 120000 */
  requestTimeout?: number
  /** The maximum number of open connections. @default 1000 */
  maxConnections?: number
}

/** A TLS certificate and its private key, both as PEM. */
export interface Certificate {
  key: string | Uint8Array
  cert: string | Uint8Array
}

/** Where a server listens, to whom, and what it puts up with. */
export interface ServeOptions extends AccessOptions, ServerLimits {
  /** 0 for any free port. @default 3000 */
  port?: number
  /** `localhost` stands for both 127.0.0.1 and ::1. @default 'localhost' */
  host?: string
  /** Whether to speak TLS, with a certificate that is given or one that signs itself. @default false */
  https?: boolean | Certificate
  /** A folder whose files are served where the mock has nothing. */
  static?: string
  /** How long answers may go on after `close`, in milliseconds. @default 5000 */
  grace?: number
}

/** Who may talk to a server. */
export interface AccessOptions {
  /**
   * Whose pages may read the answers, with credentials: `loopback` for those of this machine, origins
   * such as `https://app.example.com`, `*` for all, or `none`. @default 'loopback'
   */
  corsOrigin?: string | readonly string[]
  /** Further names that the server goes by; `.example.com` for all below it, `*` for any. */
  allowHost?: string | readonly string[]
  /** What callers of the control show from beyond this machine. @default random */
  token?: string
}

/** What a server puts up with. */
export interface ServerLimits {
  /** How long a client may take for the header of a request, in milliseconds. @default 30000 */
  headersTimeout?: number
  /** How long a client may take for a whole request, in milliseconds. @default 120000 */
  requestTimeout?: number
  /** How many connections may be open at once. @default 1000 */
  maxConnections?: number
}

/** What a server proves its name with, both as PEM. */
export interface Certificate {
  key: string | Uint8Array
  cert: string | Uint8Array
}

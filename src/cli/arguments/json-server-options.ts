const inConfig = 'in mock.config.js, as docs/json-server.md says'

/** What to do instead of an option that json-server has and this program has not. */
export const insteadOf: Readonly<Record<string, string>> = {
  ...both('routes', 'r', `write --base /api for a prefix, or put routes() into "use" ${inConfig}`),
  ...both('middlewares', 'm', `put a behaviour of your own, or routes(), into "use" ${inConfig}`),
  ...both('snapshots', 'S', 'leave it out: the key s keeps a snapshot, the key r resets'),
  ...both(
    'foreignKeySuffix',
    'fks',
    `leave it out for postId and post_id, or give "relations" ${inConfig}`,
  ),
  ...both('no-cors', 'nc', 'write --cors-origin none'),
  ...both('no-gzip', 'ng', 'leave it out: only who asks for gzip is sent it'),
  ...both('readOnly', 'ro', 'write --read-only'),
}

/** An option by either of its names. */
function both(name: string, alias: string, advice: string): Record<string, string> {
  return { [name]: advice, [alias]: advice }
}

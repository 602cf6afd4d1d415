/** Advice for options of json-server that this program does not have, by name and by alias. */
export const adviceFor: Readonly<Record<string, string>> = {
  ...both('snapshots', 'S', 'leave it out: the key s saves a snapshot, the key b restores it'),
  ...both('no-gzip', 'ng', 'leave it out: a response is only compressed if the client accepts it'),
}

/** The same advice under the name and the alias of an option. */
function both(name: string, alias: string, advice: string): Record<string, string> {
  return { [name]: advice, [alias]: advice }
}

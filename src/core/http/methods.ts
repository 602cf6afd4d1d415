import type { Target } from './target.ts'

/** The methods of each kind of target, in the order of `Allow`. HEAD is GET without the body. */
const methods: Record<Target['kind'], string> = {
  collection: 'GET HEAD QUERY POST OPTIONS',
  member: 'GET HEAD PUT PATCH DELETE OPTIONS',
  singleton: 'GET HEAD PUT PATCH OPTIONS',
  document: 'GET HEAD OPTIONS',
}

/** The methods that a kind of target has, in the order of `Allow`. */
export function methodsOf(kind: Target['kind'], readOnly: boolean): string[] {
  const all = methods[kind].split(' ')
  return readOnly ? all.filter((one) => /^(?:GET|HEAD|QUERY|OPTIONS)$/.test(one)) : all
}

import type { Part } from '../json/documents.ts'
import { type FlatSchema, type Flatten, isObjectSchema, objectOf } from '../json/flat-schema.ts'

/** Whether a parameter is named `id`. */
export function isId(name: string): boolean {
  return /^_?id$/i.test(name)
}

/** A name in lower case, without what separates its words. */
export function plain(name: string): string {
  return name.toLowerCase().replaceAll(/[^a-z\d]/g, '')
}

/** Finds the field with the value of a path parameter: `userId`, `user_id`, `user`, `user.id`. */
export function findKeyField(
  flat: FlatSchema,
  parameter: string,
  parent: string,
  flatten: Flatten,
): string[] | undefined {
  const ofParent = parent === '' ? [] : [`${parent}id`, parent]
  const names = isId(parameter) ? ofParent : [parameter, ...ofParent]
  for (const wanted of names.map(plain)) {
    if (wanted === '') continue
    for (const [key, [part]] of flat.properties) {
      if (plain(key) !== wanted || !part) continue
      const inner = objectOf(part, flatten)
      if (!inner || !isObjectSchema(inner)) return [key]
      const own = [...inner.properties.keys()].find(
        (one) => isId(one) || plain(one) === plain(parameter),
      )
      if (own !== undefined) return [key, own]
    }
  }
  return undefined
}

/** Finds the field of records that has the value of the path parameter at the end of their paths. */
export function findIdField(
  flat: FlatSchema,
  parameter: string,
  schema: Part | undefined,
  flatten: Flatten,
): string | undefined {
  const wanted = schema && flatten(schema).types
  const fits = (key: string): boolean => {
    const [part] = flat.properties.get(key) ?? []
    const { types } = part ? flatten(part) : { types: undefined }
    if (!types) return true
    const isText = types.has('string')
    const isNumber = types.has('integer') || types.has('number')
    if (!wanted) return isText || isNumber
    if (wanted.has('integer') || wanted.has('number')) return isNumber
    return wanted.has('string') ? isText : isText || isNumber
  }
  const keys = [...flat.properties.keys()]
  const words = parameter.replaceAll(/([a-z\d])([A-Z])/g, '$1_$2').split(/[^A-Za-z\d]+/)
  const suffixes = words.map((_, at) => plain(words.slice(at).join('')))
  const usual = [
    'id',
    'gid',
    'uid',
    'uuid',
    'login',
    'slug',
    'key',
    'code',
    'sha',
    'name',
    'handle',
  ]
  const candidates = [...suffixes, ...usual].flatMap((name) =>
    keys.filter((key) => plain(key) === name),
  )
  // `petId` of a parameter `id`, below `/pets`.
  const ending = keys.filter((key) => /(?:Id|_id|ID)$/.test(key))
  return [...candidates, ...(ending.length === 1 ? ending : [])].find(fits)
}

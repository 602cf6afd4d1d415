import type { DescribedResource } from '../dialects/contract/description.ts'
import { isSame } from '../json/json.ts'
import type { JsonSchema } from '../types/json-schema.ts'
import { toResources, type VersionResources, type DescribedMock } from './described-mock.ts'

/**
 * Describes the resources at paths without a version of the API (see the behaviour `versions`): the resources
 * of the default version or, if a header or a media type selects the version, of all these versions together.
 */
export function combineVersions(described: DescribedMock): VersionResources {
  const fallback = described.versions.find(({ isDefault }) => isDefault)
  const own = toResources(described, fallback)
  const others = described.versions
    .filter(({ prefix, isDefault }) => prefix === undefined && !isDefault)
    .map((version) => toResources(described, version))
  if (others.length === 0) return own
  const resources = new Map(
    Array.from(own.resources, ([name, resource]) => [
      name,
      combine(
        resource,
        others.flatMap((one) => one.resources.get(name) ?? []),
      ),
    ]),
  )
  const components = Object.assign(
    {},
    ...others.map((one) => one.components),
    own.components,
  ) as Record<string, JsonSchema>
  return { resources, components }
}

const schemas = ['record', 'embedded', 'part', 'input', 'patch', 'mergePatch'] as const

function combine(own: DescribedResource, others: readonly DescribedResource[]): DescribedResource {
  const combined: DescribedResource = {
    ...own,
    fields: Object.assign(
      {},
      ...others.map(({ fields }) => fields),
      own.fields,
    ) as DescribedResource['fields'],
  }
  for (const name of schemas) combined[name] = anyOf([own, ...others].map((one) => one[name]))
  for (const name of ['form', 'formPatch'] as const) {
    const all = [own, ...others].flatMap((one): JsonSchema[] => {
      const schema = one[name]
      return schema === undefined ? [] : [schema]
    })
    combined[name] = all.length === others.length + 1 ? anyOf(all) : undefined
  }
  return combined
}

function anyOf(all: readonly JsonSchema[]): JsonSchema {
  const different = all.filter((one, at) => all.findIndex((other) => isSame(one, other)) === at)
  const [first = true] = different
  return different.length === 1 ? first : { anyOf: different }
}

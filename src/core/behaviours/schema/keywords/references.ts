import { isText } from '../../../errors/check.ts'
import { enter, type SchemaNode, type Validator } from '../compile/evaluation.ts'
import { splitFragment } from '../../../url/uri.ts'
import { type Keywords, keywordFor, type Site } from './keyword.ts'

const forAll = keywordFor()

/**
 * Defines `$ref` and `$dynamicRef` (JSON Schema Core §8.2.3) and `$recursiveRef` (draft 2019-09 §8.2.4.2),
 * which validate a value against the schema that they refer to.
 */
export const referenceKeywords: Keywords = {
  $recursiveRef: forAll(isText, dynamic),
  $dynamicRef: forAll(isText, dynamic),
  $ref: forAll(isText, (reference: string, site, name) => entering(site.follow(name, reference))),
}

function entering(target: SchemaNode): Validator {
  const { resource } = target.location
  return (value, run, scope, evaluated) =>
    target.validate(value, run, enter(scope, resource), evaluated)
}

/**
 * Follows a reference to a dynamic anchor to the anchor of the same name in the outermost resource that
 * has such an anchor; follows any other reference as `$ref`.
 */
function dynamic(reference: string, site: Site, name: string): Validator {
  const target = site.follow(name, reference)
  const { schema, resource } = target.location
  const [, anchor] = splitFragment(reference)
  const asRef = entering(target)
  if (resource.dynamicAnchors.get(anchor)?.schema !== schema) return asRef
  return (value, run, scope, evaluated) => {
    const outermost = scope.find(({ dynamicAnchors }) => dynamicAnchors.has(anchor))
    const location = outermost?.dynamicAnchors.get(anchor)
    if (!location) return asRef(value, run, scope, evaluated)
    return site.compile(location).validate(value, run, scope, evaluated)
  }
}

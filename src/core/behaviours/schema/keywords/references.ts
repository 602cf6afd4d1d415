import { isText } from '../../../errors/check.ts'
import { enter, type SchemaNode, type Validator } from '../compile/evaluation.ts'
import { splitFragment } from '../../../url/uri.ts'
import { type Keywords, keywordFor, type Site } from './keyword.ts'

const forAll = keywordFor()

/** `$ref`, `$dynamicRef` (JSON Schema Core §8.2.3) and `$recursiveRef` (2019-09 §8.2.4.2). */
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

/** Follows a dynamic anchor to the outermost resource that has it, any other reference as `$ref`. */
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

import type { WordList } from './words.ts'

/** The part of `@faker-js/faker` that is used here. */
export interface FakerLike {
  seed(seed: number): unknown
  definitions?: unknown
}

/** Returns the words of a locale of `@faker-js/faker`; those that it lacks are built in. */
export function toWords(faker: FakerLike, builtIn: WordList): WordList {
  const at = (...paths: readonly string[]): string[] => {
    for (const path of paths) {
      const found = path.split('.').reduce<unknown>(inside, faker.definitions)
      if (Array.isArray(found) && found.length > 0 && typeof found[0] === 'string')
        return found as string[]
    }
    return []
  }
  const or = (found: readonly string[], name: keyof WordList): readonly string[] =>
    found.length > 0 ? found : builtIn[name]
  return {
    ...builtIn,
    firstNames: or(at('person.first_name.generic', 'person.first_name.female'), 'firstNames'),
    lastNames: or(at('person.last_name.generic'), 'lastNames'),
    cities: or(at('location.city_name'), 'cities'),
    streets: or(at('location.street_name'), 'streets'),
  }
}

/** The definitions of a locale throw for what the locale lacks. */
function inside(value: unknown, key: string): unknown {
  try {
    return (value as Record<string, unknown> | undefined)?.[key]
  } catch {
    return undefined
  }
}

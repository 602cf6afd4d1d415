import * as dialects from '../../src/dialects.ts'
import type { Configuration } from './configuration.ts'
import { databases } from './databases.ts'
import { shop, withBehaviours } from './with-behaviours.ts'
import { withCombinations } from './with-combinations.ts'

const { posts, tags } = shop
/** Two resources, as the presets differ in what all resources have in common. */
const blog = { posts, tags }

const {
  directus,
  djangoRestFramework,
  laravel,
  nestjsxCrud,
  pocketbase,
  springDataRest,
  strapi,
  ...servers
} = dialects

/** The presets of `rest`, and names and envelopes that no preset has. */
const named = {
  directus,
  djangoRestFramework,
  laravel,
  nestjsxCrud,
  pocketbase,
  springDataRest,
  strapi,
  'other names': dialects.rest({
    parameters: { page: 'page[number]', limit: 'page[size]', sort: 'order[$field]=$order' },
    filters: ['$field', 'filter[$field][$op]'],
    list: { data: '$items', meta: { total: '$total', 'next?': '$nextPage' } },
    item: { '...': '$record', url: '$url' },
    record: { data: '$record' },
    key: 'snake_case',
    resources: { tags: { list: '$items', record: '$record' }, posts: { unlisted: ['title'] } },
  }),
}

/** Every mock whose document is tested. */
export const configurations: readonly Configuration[] = [
  ...Object.entries(named).map(([dialect, value]): Configuration => [
    `blog in ${dialect}`,
    () => ({ fixtures: blog, dialect: value, seed: 1 }),
  ]),
  ...Object.entries(databases).flatMap(([name, fixtures]) =>
    Object.entries(servers).map(([dialect, value]): Configuration => [
      `${name} in ${dialect}`,
      () => ({ fixtures, dialect: value, seed: 1 }),
    ]),
  ),
  ...withBehaviours,
  ...withCombinations,
]

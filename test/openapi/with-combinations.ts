import {
  auth,
  events,
  fields,
  idempotency,
  limit,
  schema,
  sessions,
  states as stateMachines,
  versions,
} from '../../src/behaviours.ts'
import { type Configuration, logInAs, orderStates } from './configuration.ts'
import { databases } from './databases.ts'

/** The mocks with several behaviours, over whole databases. */
export const withCombinations: readonly Configuration[] = [
  [
    'the library with versions and fields',
    () => ({
      fixtures: databases['library'] ?? {},
      seed: 1,
      use: [
        versions({ versions: { v1: { fields: { books: { pages: 'pageCount' } } }, v2: {} } }),
        fields({ loans: { timestamps: true }, books: { unique: ['isbn'] } }),
        sessions(),
      ],
    }),
  ],
  [
    'the fleet with schemas and states',
    () => ({
      fixtures: databases['fleet'] ?? {},
      seed: 1,
      use: [
        schema({
          drivers: {
            type: 'object',
            required: ['name'],
            properties: {
              name: { type: 'object', required: ['last'], properties: { last: { minLength: 1 } } },
              licences: { type: 'array', items: { enum: ['A', 'B', 'C1'] } },
            },
          },
        }),
        stateMachines({
          vehicles: { field: 'kind', transitions: { van: ['truck'], truck: ['van'] } },
        }),
      ],
    }),
  ],
  [
    'awkward names with versions',
    () => ({
      fixtures: databases['awkward'] ?? {},
      seed: 1,
      use: [
        versions({
          by: 'header',
          versions: { v1: { fields: { 用户: { 名字: 'name' } } }, v2: {} },
        }),
        fields({ 'order-items': { readOnly: ['constructor'] }, class: { timestamps: true } }),
      ],
    }),
  ],
  [
    'all fixtures with many behaviours',
    () => ({
      fixtures: databases['fixtures'] ?? {},
      base: '/api',
      seed: 1,
      use: [
        auth({
          protect: ['POST *', 'orders'],
          roles: { 'DELETE *': 'admin' },
        }),
        stateMachines(orderStates),
        limit({ requests: 500, per: '1h' }),
        fields({ users: { unique: ['email'] }, posts: { timestamps: true } }),
        idempotency(),
        sessions(),
        events(),
      ],
    }),
    logInAs('ingrid@fjordandfield.example'),
  ],
]

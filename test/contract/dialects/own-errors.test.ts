import { expect } from 'vitest'

import { routes } from '../../../src/behaviours.ts'
import {
  type Dialect,
  djangoRestFramework,
  jsonServer0,
  jsonServer1,
  jsonServer1Beta,
  laravel,
  nestjsxCrud,
  rest,
  simpleRest,
  springDataRest,
  strapi,
} from '../../../src/dialects.ts'
import { MockError } from '../../../src/index.ts'
import { contract } from '../../faces.ts'

const message = 'Failed to save.'
const errors = { title: 'is taken', 'author.firstName': 'is too long' }

const templates = {
  error: { text: '$detail' },
  invalid: { text: '$detail', fields: '$faults' },
  fault: { name: '$field', text: '$message' },
}

/** The members that each body contains. */
const rows: [title: string, dialect: Dialect, status: number, members: Record<string, unknown>][] =
  [
    ['rest', rest, 422, { message, errors }],
    [
      'rest with keys in snake_case',
      rest({ key: 'snake_case' }),
      422,
      { message, errors: { title: 'is taken', 'author.first_name': 'is too long' } },
    ],
    [
      'rest with templates',
      rest(templates),
      422,
      {
        text: message,
        fields: [
          { name: 'title', text: 'is taken' },
          { name: 'author.firstName', text: 'is too long' },
        ],
      },
    ],
    [
      'laravel',
      laravel,
      422,
      {
        message: 'The title has already been taken. (and 1 more error)',
        errors: {
          title: ['The title has already been taken.'],
          'author.firstName': ['The author.firstName field is too long.'],
        },
      },
    ],
    [
      'djangoRestFramework',
      djangoRestFramework,
      400,
      { title: ['This field must be unique.'], author: { firstName: ['This field is too long.'] } },
    ],
    [
      'nestjsxCrud',
      nestjsxCrud,
      400,
      { message: ['title is taken', 'author.firstName is too long'] },
    ],
    [
      'springDataRest',
      springDataRest,
      400,
      {
        errors: [
          expect.objectContaining({ property: 'title', message: 'is taken' }),
          expect.objectContaining({ property: 'author.firstName', message: 'is too long' }),
        ],
      },
    ],
    [
      'strapi',
      strapi,
      400,
      {
        error: expect.objectContaining({
          details: {
            errors: [
              expect.objectContaining({
                path: ['title'],
                message: 'This attribute must be unique',
              }),
              expect.objectContaining({
                path: ['author', 'firstName'],
                message: 'author.firstName is too long',
              }),
            ],
          },
        }),
      },
    ],
    ['jsonServer0', jsonServer0, 422, { message, errors }],
    ['jsonServer1', jsonServer1, 422, { error: message, message, errors }],
    ['jsonServer1Beta', jsonServer1Beta, 422, { error: message, message, errors }],
    ['simpleRest', simpleRest, 422, { message, errors }],
  ]

for (const [title, dialect, status, members] of rows) {
  const body: unknown = expect.objectContaining(members)
  const fail = (status: number) => (): never => {
    throw new MockError(message, { status, errors })
  }
  const use = [routes({ 'POST /publish': fail(422), 'POST /missing': fail(404) })]
  contract(
    `a MockError with errors, in ${title}`,
    () => ({ dialect, fixtures: { posts: [] }, use }),
    [
      ['keeps its fields', 'POST /publish', { status, body }],
      ['keeps its fields in a 404', 'POST /missing', { status: 404, body }],
    ],
  )
}

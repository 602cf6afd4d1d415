import { describe, expect, it } from 'vitest'

import type { Json, JsonRecord } from '../../../../src/core/json/json.ts'
import { configOf, dataOf, learn, type Short } from './exchanges.ts'

function restOf(exchanges: readonly Short[]): Record<string, unknown> {
  const { dialect = { rest: {} } } = configOf(learn(exchanges))
  return (dialect as { rest: Record<string, unknown> }).rest
}

const task = (id: number, more: JsonRecord = {}): JsonRecord => ({
  id,
  title: `Task ${id}`,
  ...more,
})

const reads: Short[] = [
  ['GET /tasks', { success: true, data: [task(1), task(2)] }],
  ['GET /tasks/1', { success: true, data: task(1) }],
]

const sent = { title: 'Task 3' }

describe('the responses to writes', () => {
  const rows: [title: string, expected: Record<string, Json>, ...exchanges: Short[]][] = [
    [
      'have a message beside the record, with the texts of the record as variables',
      { created: { success: true, message: 'Created "$record.title"', data: '$record' } },
      [
        'POST /tasks',
        { success: true, message: 'Created "Task 3"', data: task(3) },
        { status: 201, sent },
      ],
    ],
    [
      'have the record under its name',
      { created: { ok: true, $singular: '$record' }, statuses: { created: 200 } },
      ['POST /tasks', { ok: true, task: task(3) }, { sent }],
    ],
    [
      'have a message alone',
      { updated: { success: true, message: '$model updated' } },
      ['PATCH /tasks/1', { success: true, message: 'Task updated' }, { sent: { title: 'x' } }],
    ],
    [
      'have the id alone',
      { removed: { id: '$id', deleted: true } },
      ['DELETE /tasks/1', { id: 1, deleted: true }],
      ['DELETE /tasks/2', { id: 2, deleted: true }],
    ],
    [
      'leave out what changes and no variable explains',
      { removed: { deleted: true } },
      ['DELETE /tasks/1', { deleted: true, took: 17 }],
      ['DELETE /tasks/2', { deleted: true, took: 23 }],
    ],
    [
      'have no body, and the status of the API',
      { updated: null, removed: null, statuses: { removed: 202 } },
      ['PUT /tasks/1', undefined, { status: 204, sent: task(1) }],
      ['DELETE /tasks/1', undefined, { status: 202 }],
    ],
    [
      'are records without an envelope',
      { updated: '$record' },
      ['PATCH /tasks/1', task(1, { title: 'x' }), { sent: { title: 'x' } }],
    ],
  ]

  it.each(rows)('%s', (_title, expected, ...exchanges) => {
    const { created, updated, removed, statuses } = restOf([...reads, ...exchanges])
    const found = { created, updated, removed, statuses }
    expect(JSON.parse(JSON.stringify(found))).toEqual(expected)
  })

  it('have the status and the form of their resource', () => {
    const note = { id: 1, text: 'x' }
    const exchanges: Short[] = [
      ...reads,
      ['GET /notes', { success: true, data: [note, { id: 2, text: 'y' }] }],
      ['POST /tasks', { success: true, data: task(3) }, { status: 201, sent }],
      ['POST /tasks', { success: true, data: task(4) }, { status: 201, sent }],
      ['POST /notes', { success: true, data: { id: 3, text: 'z' } }, { sent: { text: 'z' } }],
      ['DELETE /tasks/1', undefined, { status: 204 }],
      ['DELETE /tasks/2', undefined, { status: 204 }],
      ['DELETE /notes/1', { success: true, removed: 1 }],
    ]
    const { dialect } = configOf(learn(exchanges)) as { dialect: { rest: JsonRecord } }
    expect(dialect.rest['resources']).toEqual({
      notes: { removed: { success: true, removed: '$id' }, statuses: { created: 200 } },
    })
  })

  it('change the record as sent, if they are messages alone', () => {
    const change = { title: 'x' }
    const { tasks } = dataOf(
      learn([
        ...reads,
        ['PATCH /tasks/1', { success: true, message: 'Updated' }, { sent: change }],
        ['POST /tasks', { success: true, id: 3 }, { status: 201, sent }],
      ]),
    )
    expect(tasks).toEqual([{ id: 1, ...change }, task(2), task(3)])
  })
})

describe('an action', () => {
  const article = (more: JsonRecord): JsonRecord => ({ id: 1, title: 'On loops', ...more })
  const body = 'A loop ends.'
  const proposed = (exchanges: readonly Short[]): (readonly [string, Json])[] =>
    learn(exchanges).proposals.map(({ path, value }) => [path.join(' '), value])

  it('is learned from the state before it, although a later read shows that state again', () => {
    const proposals = proposed([
      ['GET /articles/1', article({ liked: false })],
      ['GET /articles/2', { ...article({ liked: false }), id: 2 }],
      ['POST /articles/1/like', article({ liked: true })],
      ['GET /articles/1', article({ liked: true })],
      ['DELETE /articles/1/like', article({ liked: false })],
      ['GET /articles/1', article({ liked: false })],
    ])
    expect(proposals).toContainEqual([
      'resources articles actions POST like',
      { set: { liked: true } },
    ])
  })

  it('does not set a field that only its response shows, such as one that lists lack', () => {
    const proposals = proposed([
      ['GET /articles', [article({ liked: false }), { ...article({ liked: false }), id: 2 }]],
      ['GET /articles/2', { ...article({ liked: false, body: 'Another.' }), id: 2 }],
      ['POST /articles/1/like', article({ liked: true, body })],
    ])
    expect(proposals).toContainEqual([
      'resources articles actions POST like',
      { set: { liked: true } },
    ])
  })
})

describe('writes that the API refuses', () => {
  const status = 422
  const rows: [title: string, rest: JsonRecord, fields: JsonRecord, body: Json][] = [
    [
      'with lists of texts by field',
      { invalid: { errors: '$errorLists' }, reasons: { required: "can't be blank" } },
      { required: ['title'], onEmpty: 'refuse' },
      { errors: { title: ["can't be blank"] } },
    ],
    [
      'with a text by field beside others',
      {
        invalid: { code: '$status', message: 'Invalid', fields: '$errors' },
        reasons: { required: 'Please enter a $field.' },
      },
      { required: ['title'], onEmpty: 'refuse' },
      { code: 422, message: 'Invalid', fields: { title: 'Please enter a title.' } },
    ],
    [
      'with a list of faults',
      {
        invalid: { violations: '$faults' },
        fault: { field: '$field', message: '$message', rejected: '$value', kind: 'body' },
        reasons: { required: 'must not be blank' },
      },
      { required: ['title'], onEmpty: 'refuse' },
      {
        violations: [{ field: 'title', message: 'must not be blank', rejected: '', kind: 'body' }],
      },
    ],
  ]

  it.each(rows)('are refused by rule %s', (_title, rest, fields, body) => {
    const exchanges: Short[] = [
      ...reads,
      ['POST /tasks', body, { status, sent: { title: '' } }],
      ['POST /tasks', task(3), { status: 201, sent }],
    ]
    expect(restOf(exchanges)).toMatchObject(rest)
    expect(learn(exchanges).proposals).toContainEqual(
      expect.objectContaining({ path: ['resources', 'tasks', 'fields'], value: fields }),
    )
  })

  it('need no field that an accepted request lacks', () => {
    const { proposals } = learn([
      ...reads,
      ['POST /tasks', { errors: { note: ['is odd'] } }, { status, sent: { title: 'x' } }],
      ['POST /tasks', task(3, { note: '' }), { status: 201, sent }],
    ])
    expect(JSON.stringify(proposals)).not.toContain('required')
  })

  it('take a value that another record has', () => {
    const { proposals } = learn([
      ...reads,
      ['POST /tasks', { error: 'The title exists' }, { status: 409, sent: { title: 'Task 1' } }],
    ])
    expect(proposals).toContainEqual(
      expect.objectContaining({ path: ['resources', 'tasks', 'unique'], value: { title: 409 } }),
    )
  })
})

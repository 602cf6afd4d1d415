// @vitest-environment jsdom
import { type BaseRecord, type HttpError, Refine } from '@refinedev/core'
import { useForm } from '@refinedev/react-hook-form'
import refineSimpleRest from '@refinedev/simple-rest'
import { cleanup, configure, fireEvent, render, screen } from '@testing-library/react'
import { setupServer } from 'msw/node'
import { CoreAdminContext, CreateBase, Form, useInput, ValidationError } from 'ra-core'
import jsonServerProvider from 'ra-data-json-server'
import type { ReactElement } from 'react'
import { afterAll, afterEach, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'

import { schema } from '../../../src/behaviours.ts'
import { createMock } from '../../../src/index.ts'
import { handlers, strict } from '../../../src/msw.ts'

// A machine with two busy cores is slow now and then; what hangs is found all the same.
configure({ asyncUtilTimeout: 10_000 })

const url = 'http://api.test'
const mock = createMock({
  fixtures: { users: [{ id: 1 }] },
  use: [
    schema({
      users: {
        properties: {
          name: { minLength: 3, pattern: '^[a-z]*$' },
          address: { properties: { city: { minLength: 2 } } },
        },
      },
    }),
  ],
})

/** The forms of each framework, with the fields `name` and `address.city`. */
const forms: Record<string, () => ReactElement> = {
  'ra-core': () => (
    <CoreAdminContext dataProvider={jsonServerProvider(url)}>
      <CreateBase resource="users">
        <Form>
          <AdminInput source="name" />
          <AdminInput source="address.city" />
          <button type="submit">Save</button>
        </Form>
      </CreateBase>
    </CoreAdminContext>
  ),
  '@refinedev/react-hook-form': () => (
    <Refine dataProvider={toRefineProvider()} options={{ disableTelemetry: true }}>
      <RefineForm />
    </Refine>
  ),
}

/** An input of react-admin, which shows its error as `InputHelperText` of `ra-ui-materialui` does. */
function AdminInput({ source }: { source: string }): ReactElement {
  const { field, fieldState } = useInput({ source })
  const { message } = fieldState.error ?? {}
  return (
    <div>
      <input aria-label={source} {...field} />
      <p data-testid={source}>{message && <ValidationError error={message} />}</p>
    </div>
  )
}

/** The provider of refine, which hands the errors of the server on as refine's guide to forms asks for. */
function toRefineProvider(): ReturnType<typeof refineSimpleRest> {
  const provider = refineSimpleRest(url)
  return {
    ...provider,
    create: (params) =>
      provider.create<never>(params as never).catch((error: HttpError) => {
        throw Object.assign(error, { errors: (error['response'] as Refused).data.errors })
      }),
  }
}

interface Refused {
  data: Pick<HttpError, 'errors'>
}

function RefineForm(): ReactElement {
  const { register, saveButtonProps, formState } = useForm<BaseRecord, HttpError, User>({
    refineCoreProps: { resource: 'users', action: 'create', redirect: false },
  })
  const { errors } = formState
  return (
    <form>
      <input aria-label="name" {...register('name')} />
      <p data-testid="name">{errors.name?.message}</p>
      <input aria-label="address.city" {...register('address.city')} />
      <p data-testid="address.city">{errors.address?.city?.message}</p>
      <button type="button" {...saveButtonProps}>
        Save
      </button>
    </form>
  )
}

interface User {
  name: string
  address: { city: string }
}

const server = setupServer(...handlers(mock))
beforeAll(() => server.listen(strict()))
afterEach(() => {
  cleanup()
  mock.reset()
})
afterAll(() => server.close())

describe.each(Object.entries(forms))('a form of %s', (_name, create) => {
  it('shows every error of the server beside its field', async () => {
    // React-query logs every failed mutation.
    const shown = vi.spyOn(console, 'error').mockImplementation(() => {})
    onTestFinished(() => shown.mockRestore())
    render(create())
    fireEvent.change(await screen.findByLabelText('name'), { target: { value: 'A' } })
    fireEvent.change(screen.getByLabelText('address.city'), { target: { value: 'B' } })
    fireEvent.click(screen.getByText('Save'))
    await screen.findByText('has to have 3 or more characters; has the wrong form')
    expect(screen.getByTestId('address.city').textContent).toBe('has to have 2 or more characters')
    expect(mock.db.users.count()).toBe(1)
  })
})

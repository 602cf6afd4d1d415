/** A document with the ways in which APIs describe lists, records, parameters and errors. */
export const shop = {
  openapi: '3.0.3',
  info: { title: 'Shop', version: '1' },
  servers: [{ url: 'https://api.example.com/v1' }],
  paths: {
    '/customers': {
      get: {
        parameters: [
          query('limit', { type: 'integer', maximum: 50, default: 10 }),
          query('page', { type: 'integer', minimum: 1 }),
          query('email', { type: 'string' }),
          query('sort', { type: 'string' }),
        ],
        responses: { 200: json({ $ref: '#/components/schemas/CustomerPage' }) },
      },
      post: {
        requestBody: { required: true, ...json({ $ref: '#/components/schemas/NewCustomer' }) },
        responses: {
          201: json({ $ref: '#/components/schemas/Customer' }),
          422: json({ $ref: '#/components/schemas/Failure' }),
        },
      },
    },
    '/customers/{customer}': {
      parameters: [{ name: 'customer', in: 'path', required: true, schema: { type: 'string' } }],
      get: {
        responses: {
          200: json({ $ref: '#/components/schemas/Customer' }),
          404: json({ $ref: '#/components/schemas/Failure' }),
        },
      },
      patch: {
        requestBody: json({ $ref: '#/components/schemas/CustomerPatch' }),
        responses: { 200: json({ $ref: '#/components/schemas/Customer' }) },
      },
      delete: { responses: { 204: { description: 'Removed.' } } },
    },
    '/customers/{customer}/orders': {
      parameters: [{ name: 'customer', in: 'path', required: true, schema: { type: 'string' } }],
      get: {
        responses: { 200: json({ type: 'array', items: { $ref: '#/components/schemas/Order' } }) },
      },
      post: {
        requestBody: json({ $ref: '#/components/schemas/Order' }),
        responses: { 201: json({ $ref: '#/components/schemas/Order' }) },
      },
    },
    '/orders/{orderId}': {
      get: {
        parameters: [{ name: 'orderId', in: 'path', required: true, schema: { type: 'integer' } }],
        responses: { 200: json({ $ref: '#/components/schemas/Order' }) },
      },
    },
    '/settings': {
      get: { responses: { 200: json({ $ref: '#/components/schemas/Settings' }) } },
      put: {
        requestBody: json({ $ref: '#/components/schemas/Settings' }),
        responses: { 200: json({ $ref: '#/components/schemas/Settings' }) },
      },
    },
    '/search': {
      post: {
        responses: {
          200: {
            description: 'Hits.',
            content: { 'application/json': { example: { hits: 3 }, schema: { type: 'object' } } },
          },
        },
      },
    },
  },
  components: {
    schemas: {
      Customer: {
        type: 'object',
        required: ['id', 'name', 'email', 'createdAt', 'nickname'],
        properties: {
          id: { type: 'string', readOnly: true, example: 'cus_NffrFeUfNV2Hib' },
          name: { type: 'string', minLength: 1 },
          email: { type: 'string', format: 'email' },
          nickname: { type: 'string', nullable: true },
          createdAt: { type: 'string', format: 'date-time', readOnly: true },
          password: { type: 'string', writeOnly: true },
          tier: { type: 'string', enum: ['free', 'gold'] },
        },
      },
      NewCustomer: {
        type: 'object',
        required: ['name', 'email'],
        properties: {
          name: { type: 'string', minLength: 1 },
          email: { type: 'string', format: 'email' },
          password: { type: 'string' },
          tier: { type: 'string', enum: ['free', 'gold'] },
        },
      },
      CustomerPatch: {
        type: 'object',
        properties: { name: { type: 'string' }, nickname: { type: 'string', nullable: true } },
      },
      CustomerPage: {
        type: 'object',
        required: ['object', 'data', 'total', 'has_more'],
        properties: {
          object: { type: 'string', enum: ['list'] },
          data: { type: 'array', items: { $ref: '#/components/schemas/Customer' } },
          total: { type: 'integer' },
          has_more: { type: 'boolean' },
          next: { type: 'string', nullable: true },
        },
      },
      Order: {
        type: 'object',
        required: ['id', 'total'],
        properties: {
          id: { type: 'integer' },
          customerId: { type: 'string' },
          total: { type: 'number', minimum: 0, exclusiveMinimum: true, maximum: 500 },
          parent: { $ref: '#/components/schemas/Order' },
        },
      },
      Settings: {
        type: 'object',
        required: ['theme'],
        properties: { theme: { type: 'string', enum: ['light', 'dark'] } },
      },
      Failure: {
        type: 'object',
        required: ['error'],
        properties: {
          error: {
            type: 'object',
            required: ['message', 'code'],
            properties: { message: { type: 'string' }, code: { type: 'string' } },
          },
        },
      },
    },
  },
}

function json(schema: object): { description: string; content: object } {
  return { description: 'JSON.', content: { 'application/json': { schema } } }
}

function query(name: string, schema: object): object {
  return { name, in: 'query', schema }
}

/**
 * A sentence of the specification with MUST, MUST NOT, REQUIRED or SHALL: its beginning, without marks of Markdown,
 * and the titles of the rows that ask it, or the reason why no request to a server can. A sentence that the text
 * repeats is listed once.
 */
export type Must = [beginning: string, asked: readonly string[] | string]

/** The sentences of JSON:API 1.1 in their order, under the headings of their sections. */
export const musts: readonly Must[] = [
  // Conventions
  ['The key words "MUST", "MUST NOT", "REQUIRED",', 'It defines the key words.'],
  // Rules for Media Type Parameters
  [
    'The JSON:API media type MUST NOT be',
    ['Universal Responsibilities: responses have the media type without parameters'],
  ],
  [
    'The values of the ext and profile',
    [
      'Server Responsibilities: Content-Type with a profile',
      'Server Responsibilities: 406 if, in Accept, every instance has an unsupported extension',
    ],
  ],
  // Rules for Extensions
  ['An extension MUST NOT lessen or remove', 'It binds authors of extensions and profiles.'],
  [
    'When an extension defines new query parameters',
    'It binds authors of extensions and profiles.',
  ],
  ['A namespace MUST meet all of the', 'It binds authors of extensions and profiles.'],
  ['A namespace MUST contain at least one', 'It binds authors of extensions and profiles.'],
  [
    'A namespace MUST contain only these characters:',
    'It binds authors of extensions and profiles.',
  ],
  ['An extension MUST NOT define more than', 'It binds authors of extensions and profiles.'],
  ['The namespace used for all query parameters', 'It binds authors of extensions and profiles.'],
  // Rules for Profiles
  ['A profile MUST NOT define any query', 'It binds authors of extensions and profiles.'],
  ['A profile MUST NOT alter or remove', 'It binds authors of extensions and profiles.'],
  // Universal Responsibilities
  [
    'Clients and servers MUST send all JSON:API',
    [
      'Universal Responsibilities: responses have the media type without parameters',
      'Server Responsibilities: 415 for JSON',
      'Top Level: errors exclude data, included and links',
    ],
  ],
  [
    'Clients and servers MUST specify the ext',
    ['Creating Resources: the result has the resource', 'URI: 415 without the extension'],
  ],
  ['Clients and servers MUST specify the profile', 'Fixtura applies no profile.'],
  // Client Responsibilities
  ['When processing a JSON:API response document, clients', 'It binds the client.'],
  // Server Responsibilities
  [
    'If a request specifies the Content-Type header with the',
    [
      'Server Responsibilities: Content-Type with parameters other than ext and profile',
      'Server Responsibilities: 415 for the media type with another parameter',
    ],
  ],
  [
    'If a request specifies the Content-Type header with an',
    [
      'Server Responsibilities: Content-Type with an unsupported extension',
      'Server Responsibilities: 415 for the media type with an unsupported extension',
    ],
  ],
  [
    "If a request's Accept header contains an",
    ['Server Responsibilities: 200 if, in Accept, one instance has none'],
  ],
  [
    'If all instances of that media type',
    ['Server Responsibilities: 406 if, in Accept, every instance has other parameters'],
  ],
  [
    'If every instance of that media type',
    ['Server Responsibilities: 406 if, in Accept, every instance has an unsupported extension'],
  ],
  [
    'A server MUST ignore any profiles that',
    [
      'Server Responsibilities: Content-Type with a profile',
      'Server Responsibilities: 200 if, in Accept, an instance has an unknown profile',
    ],
  ],
  // Document Structure
  [
    'These members MUST comply with the naming',
    'The fixtures decide about names: a deviation of the documentation.',
  ],
  [
    'Unless otherwise noted, objects defined by this',
    [
      'Top Level: a document has an object at the root, without errors beside data',
      'Resource Objects: id and type are texts, keys are relationships, and both share no name with attributes',
    ],
  ],
  [
    'Client and server implementations MUST ignore non-compliant',
    ['Document Structure: unknown members are ignored'],
  ],
  // Top Level
  [
    'A JSON object MUST be at the',
    [
      'a body that is no object',
      'Top Level: a document has an object at the root, without errors beside data',
    ],
  ],
  [
    'A document MUST contain at least one',
    [
      'Top Level: a document has an object at the root, without errors beside data',
      'Top Level: a value without records is meta',
      'Top Level: errors exclude data, included and links',
      'Creating Resources: 400 without data',
    ],
  ],
  [
    'The members data and errors MUST NOT',
    [
      'Top Level: errors exclude data, included and links',
      'Top Level: a document has an object at the root, without errors beside data',
    ],
  ],
  [
    'If a document does not contain a',
    [
      'Top Level: errors exclude data, included and links',
      'Inclusion: 400 where a document has no resources',
    ],
  ],
  [
    'Primary data MUST be either:',
    [
      'Fetching Resources: null for a related resource that does not exist',
      'Fetching Resources: a related to-one resource',
      'Fetching Resources: a related to-many resource',
      'Fetching Relationships: a to-one relationship',
      'Fetching Relationships: a to-many relationship',
    ],
  ],
  [
    'A logical collection of resources MUST be',
    [
      'Top Level: a collection is an array, also with one record',
      'Top Level: a document has an object at the root, without errors beside data',
    ],
  ],
  // Resource Objects
  [
    'A resource object MUST contain at least',
    [
      'Resource Objects: id and type are texts, keys are relationships, and both share no name with attributes',
      'Sparse Fieldsets: an empty value returns no fields',
    ],
  ],
  // Identification
  [
    'As noted above, every resource object MUST',
    [
      'Resource Objects: id and type are texts, keys are relationships, and both share no name with attributes',
      'Creating Resources: 400 without a type',
    ],
  ],
  [
    'Every resource object MUST also contain an',
    [
      'Resource Objects: id and type are texts, keys are relationships, and both share no name with attributes',
      'Identification: a singleton has an id',
    ],
  ],
  [
    'The value of the lid member MUST',
    [
      'Identification: a local id names the new resource in its relationships',
      'Identification: 404 for an unknown local id',
    ],
  ],
  [
    'The values of the id, type, and',
    [
      'Resource Objects: id and type are texts, keys are relationships, and both share no name with attributes',
      'Client-Generated IDs: 400 for an id that is no text',
      'Identification: 400 for a local id that is no text',
      'Resource Identifier Objects: 400 for a type that is no text',
    ],
  ],
  [
    "Within a given API, each resource object's",
    ['Identification: a resource has one type, at every path'],
  ],
  [
    'The values of type members MUST adhere',
    'The fixtures decide about names: a deviation of the documentation.',
  ],
  // Fields
  [
    'Fields for a resource object MUST share',
    [
      'Fields: a field named type is another attribute',
      'Creating Resources: 400 for an attribute named id',
    ],
  ],
  // Attributes
  [
    'The value of the attributes key MUST',
    ['Creating Resources: 400 for attributes that are no object'],
  ],
  // Relationships
  [
    'The value of the relationships key MUST',
    ['Creating Resources: 400 for relationships that are no object'],
  ],
  [
    'The value at that key MUST be',
    ['Creating Resources: 400 for a relationship that is no object'],
  ],
  [
    'A "relationship object" MUST contain at least',
    [
      'Resource Objects: id and type are texts, keys are relationships, and both share no name with attributes',
      'Creating Resources: 400 for a relationship without data',
    ],
  ],
  ['Any [pagination] links in a relationship object', 'Linkage has no pages.'],
  // Related Resource Links
  [
    'If present, a related resource link MUST',
    [
      'Fetching Resources: null for a related resource that does not exist',
      'Fetching Resources: a related to-many resource',
    ],
  ],
  [
    'Additionally, a related resource link MUST NOT',
    ['Related Resource Links: the URLs stay when the relationship changes'],
  ],
  // Resource Linkage
  [
    'Resource linkage MUST be represented as one',
    [
      'Resource Linkage: null for an empty to-one relationship',
      'Resource Linkage: an empty array for an empty to-many relationship',
      'Resource Objects: id and type are texts, keys are relationships, and both share no name with attributes',
    ],
  ],
  // Resource Links
  [
    'A server MUST respond to a GET',
    [
      'Resource Links: self of a resource, primary or included',
      'Resource Links: self of a singleton',
    ],
  ],
  // Resource Identifier Objects
  [
    'A "resource identifier object" MUST contain a',
    [
      'Resource Identifier Objects: 400 for no type',
      'Fetching Relationships: a to-one relationship',
    ],
  ],
  [
    'It MUST also contain an id member,',
    [
      'Resource Identifier Objects: 400 for neither id nor lid',
      'Fetching Relationships: a to-many relationship',
    ],
  ],
  [
    'In this case, a lid member MUST',
    [
      'Resource Identifier Objects: 400 for neither id nor lid',
      'Identification: a local id names the new resource in its relationships',
    ],
  ],
  // Compound Documents
  [
    'In a compound document, all included resources',
    ['Compound Documents: each resource once, linked, and none of the primary data'],
  ],
  [
    'Every included resource object MUST be identified',
    [
      'Compound Documents: each resource once, linked, and none of the primary data',
      'Compound Documents: a relationship that fields leave out is followed too',
    ],
  ],
  [
    'A [compound document] MUST NOT include more',
    ['Compound Documents: each resource once, linked, and none of the primary data'],
  ],
  // Meta Information
  [
    'The value of each meta member MUST',
    [
      'Top Level: a document has an object at the root, without errors beside data',
      'Top Level: a value without records is meta',
    ],
  ],
  // Links
  [
    'The value of this member MUST be',
    ['Top Level: a document has an object at the root, without errors beside data'],
  ],
  [
    'Within this object, a link MUST be',
    [
      'Resource Objects: id and type are texts, keys are relationships, and both share no name with attributes',
      'Pagination: a link to no page is null',
    ],
  ],
  // Link objects
  ['A link object MUST contain the following', 'Every link is a text or null.'],
  ['The string MUST be a valid link', 'Every link is a text or null.'],
  ['Each string MUST be a valid language', 'Every link is a text or null.'],
  // JSON:API Object
  [
    'If present, the value of the jsonapi',
    ['Top Level: a document has an object at the root, without errors beside data'],
  ],
  ['Clients and servers MUST NOT use an', ['JSON:API Object: its ext negotiates nothing']],
  [
    'Content negotiation MUST only happen based on',
    ['JSON:API Object: its ext negotiates nothing', 'URI: 415 without the extension'],
  ],
  // Member Names
  [
    'Implementation and profile defined member names used',
    ['Member Names: names are case-sensitive', 'Member Names: attributes are case-sensitive'],
  ],
  [
    'Member names MUST contain at least one',
    'The fixtures decide about names: a deviation of the documentation.',
  ],
  [
    'Member names MUST contain only the allowed',
    'The fixtures decide about names: a deviation of the documentation.',
  ],
  [
    'Member names MUST start and end with',
    'The fixtures decide about names: a deviation of the documentation.',
  ],
  // Reserved Characters
  [
    'The following characters MUST NOT be used',
    'The fixtures decide about names: a deviation of the documentation.',
  ],
  // @-Members
  [
    'This specification provides no guidance on the',
    [
      '@-Members: they are no attributes',
      '@-Members: they are no relationships and no members of identifiers',
    ],
  ],
  // Extension Members
  ['The name of every new member introduced', 'It binds authors of extensions and profiles.'],
  ['The remainder of the name MUST adhere', 'It binds authors of extensions and profiles.'],
  // Fetching Resources
  [
    'A server MUST support fetching resource data',
    [
      'Resource Links: self of a resource, primary or included',
      'Fetching Resources: a related to-one resource',
      'Fetching Resources: a related to-many resource',
      'Top Level: self has all parameters',
    ],
  ],
  // 200 OK
  [
    'A server MUST respond to a successful request to fetch an individual resource or',
    [
      'Resource Links: self of a resource, primary or included',
      'Top Level: a collection is an array, also with one record',
    ],
  ],
  [
    'A server MUST respond to a successful request to fetch a resource',
    [
      'Top Level: a collection is an array, also with one record',
      'Top Level: a document has an object at the root, without errors beside data',
    ],
  ],
  [
    'A server MUST respond to a successful request to fetch an individual resource with',
    [
      'Resource Links: self of a resource, primary or included',
      'Fetching Resources: null for a related resource that does not exist',
    ],
  ],
  // 404 Not Found
  [
    'A server MUST respond with 404 Not',
    [
      'Fetching Resources: 404 for a resource that does not exist',
      'Fetching Resources: 404 for the related resource of none',
    ],
  ],
  // Other Responses
  [
    'A server MUST prepare responses, and a',
    [
      'Server Responsibilities: Vary has Accept',
      'HEAD of a relationship',
      'OPTIONS of a relationship',
      '405 for another method of a relationship',
      'If-None-Match of a relationship',
    ],
  ],
  // Fetching Relationships
  [
    'A server MUST support fetching relationship data',
    [
      'Fetching Relationships: a to-one relationship',
      'Fetching Relationships: a to-many relationship',
    ],
  ],
  // 200 OK
  [
    'A server MUST respond to a successful request to fetch a relationship',
    [
      'Fetching Relationships: a to-one relationship',
      'Fetching Relationships: a to-many relationship',
    ],
  ],
  [
    'The primary data in the response document',
    [
      'Fetching Relationships: an empty to-one relationship',
      'Fetching Relationships: a to-one relationship',
      'Fetching Relationships: an empty to-many relationship',
      'Fetching Relationships: a to-many relationship',
    ],
  ],
  // 404 Not Found
  [
    'A server MUST return 404 Not Found when processing a request to fetch',
    [
      'Fetching Relationships: 404 for an unknown relationship',
      'Fetching Relationships: 404 for the relationship of no resource',
    ],
  ],
  [
    'If a relationship link URL exists but',
    [
      'Fetching Relationships: an empty to-one relationship',
      'Fetching Relationships: an empty to-many relationship',
    ],
  ],
  // Inclusion of Related Resources
  [
    'If an endpoint does not support the',
    [
      'Inclusion: 400 where a document has no resources',
      'Inclusion: 400 where no document is returned',
      'Inclusion: 400 for results',
    ],
  ],
  [
    "The server's response MUST be a [compound",
    [
      'Inclusion: included is an array even if the relationship is empty',
      'Inclusion: an empty value includes nothing',
    ],
  ],
  [
    'The server MUST NOT include unrequested [resource',
    [
      'Compound Documents: each resource once, linked, and none of the primary data',
      'Inclusion: without include nothing is included',
    ],
  ],
  [
    'The value of the include parameter MUST',
    ['Compound Documents: each resource once, linked, and none of the primary data'],
  ],
  [
    'If a server is unable to identify',
    [
      'Inclusion: 400 for an unknown path',
      'Inclusion: 400 for an unknown path of an empty list',
      'Fetching Relationships: 400 for a path that does not start with the relationship',
    ],
  ],
  // Sparse Fieldsets
  [
    'The value of any fields[TYPE] parameter MUST',
    ['Sparse Fieldsets: no field besides those named, in included resources too'],
  ],
  [
    'If a client requests a restricted set',
    [
      'Sparse Fieldsets: no field besides those named, in included resources too',
      'Sparse Fieldsets: an empty value returns no fields',
    ],
  ],
  // Sorting
  ['The value for sort MUST represent sort', ['Sorting: by several fields in their order']],
  [
    'The sort order for each sort field',
    [
      'Sorting: ascending',
      'Sorting: descending with a minus',
      'Sorting: by several fields in their order',
    ],
  ],
  [
    'If the server does not support sorting',
    [
      'Sorting: 400 for an unknown field',
      'Sorting: 400 for an unknown field of a relationship',
      'Sorting: 400 for linkage',
    ],
  ],
  [
    'If sorting is supported by the server',
    ['Sorting: ascending', 'Sorting: by an attribute of a relationship'],
  ],
  // Pagination
  ['Pagination links MUST appear in the links', ['Pagination: by number and size']],
  ['The following keys MUST be used for', ['Pagination: by number and size']],
  ['Keys MUST either be omitted or have', ['Pagination: a link to no page is null']],
  [
    'Concepts of order, as expressed in the',
    ['Pagination: by cursor, in the order of the sort', 'Pagination: by number and size'],
  ],
  // Creating, Updating and Deleting Resources
  [
    'A request MUST completely succeed or fail',
    [
      'Creating, Updating and Deleting: a request that fails changes nothing',
      'Creating Resources: an unknown path of include stores nothing',
    ],
  ],
  // Creating Resources
  [
    'The request MUST include a single resource',
    ['Creating Resources: 400 without data', 'Creating Resources: 400 for several resources'],
  ],
  ['The resource object MUST contain at least', ['Creating Resources: 400 without a type']],
  [
    'If a relationship is provided in the relationships member of the',
    [
      'Creating Resources: 400 for a relationship without data',
      'Creating Resources: 400 for a relationship that is no object',
    ],
  ],
  // Client-Generated IDs
  [
    'An ID MUST be specified with an',
    ['Client-Generated IDs: 201', 'Client-Generated IDs: 400 for an id that is no text'],
  ],
  [
    'A server MUST return 403 Forbidden in response to an unsupported request to create',
    ['Client-Generated IDs: 403 where the server draws numbers'],
  ],
  // 201 Created
  [
    'If the requested resource has been created successfully and the server changes',
    ['Creating Resources: 201 with the resource, and Location equals self'],
  ],
  [
    'If the resource object returned by the',
    ['Creating Resources: 201 with the resource, and Location equals self'],
  ],
  // 202 Accepted
  ['If a request to create a resource', 'Fixtura completes every request before it answers.'],
  // 204 No Content
  [
    'If the requested resource has been created successfully and the server does',
    [
      'Creating Resources: 201 with the resource, and Location equals self',
      'Client-Generated IDs: 201',
    ],
  ],
  // 404 Not Found
  [
    'A server MUST return 404 Not Found when processing a request that',
    ['Creating Resources: 404 for a related resource that does not exist'],
  ],
  // 409 Conflict
  [
    'A server MUST return 409 Conflict when processing a POST request to',
    [
      'Client-Generated IDs: 409 for an id that exists',
      'Client-Generated IDs: 409 for an id that exists as a number',
    ],
  ],
  [
    'A server MUST return 409 Conflict when processing a POST request in',
    ['Creating Resources: 409 for another type'],
  ],
  // Updating Resources
  [
    'The PATCH request MUST include a single',
    ['Updating Resources: 400 without data', 'Updating Resources: 400 for several resources'],
  ],
  [
    'The resource object MUST contain type and',
    ['Updating Resources: 400 without an id', 'Updating Resources: 400 without a type'],
  ],
  // Updating a Resource's Attributes
  [
    'If a request does not include all of the [attributes]',
    ['Updating Resources: missing attributes and relationships stay'],
  ],
  [
    'The server MUST NOT interpret missing attributes',
    ['Updating Resources: missing attributes and relationships stay'],
  ],
  // Updating a Resource's Relationships
  [
    'If a request does not include all of the [relationships]',
    ['Updating Resources: missing attributes and relationships stay'],
  ],
  [
    'It MUST NOT interpret them as null',
    ['Updating Resources: missing attributes and relationships stay'],
  ],
  [
    'If a relationship is provided in the relationships member of a',
    ['Updating Resources: 400 for a relationship without data'],
  ],
  ['In such a case, the server MUST', 'Fixtura replaces any to-many relationship whole.'],
  // 200 OK
  [
    'If a server accepts an update but also changes the targeted resource',
    ['Updating Resources: missing attributes and relationships stay'],
  ],
  // 202 Accepted
  ['If an update request has been accepted', 'Fixtura completes every request before it answers.'],
  // 204 No Content
  [
    "If an update is successful and the server doesn't change the targeted resource",
    ['Updating Resources: missing attributes and relationships stay'],
  ],
  // 403 Forbidden
  [
    'A server MUST return 403 Forbidden in response to an unsupported request to update a resource',
    [
      'Updating Relationships: 403 for POST of a to-one relationship',
      'Updating Relationships: 403 for DELETE of a to-one relationship',
    ],
  ],
  // 404 Not Found
  [
    'A server MUST return 404 Not Found when processing a request to modify',
    [
      'Updating Resources: 404 for a resource that does not exist',
      'Updating Relationships: 404 for the relationship of no resource',
    ],
  ],
  // 409 Conflict
  [
    'A server MUST return 409 Conflict when processing a PATCH',
    ['Updating Resources: 409 for another type', 'Updating Resources: 409 for another id'],
  ],
  // Updating To-One Relationships
  [
    'The PATCH request MUST include a top-level',
    [
      'Updating To-One Relationships: 400 without data',
      'Updating To-One Relationships: 400 for an array',
      'Updating To-One Relationships: another resource',
      'Updating To-One Relationships: null clears',
    ],
  ],
  ['If the relationship is updated successfully then', ['Updating To-One Relationships: 204']],
  // Updating To-Many Relationships
  [
    'For all request types, the body MUST',
    [
      'Updating To-Many Relationships: 400 for tags that are no array',
      'Updating To-Many Relationships: 400 for comments that are no array',
    ],
  ],
  [
    'If a client makes a PATCH request',
    [
      'Updating To-Many Relationships: PATCH replaces tags',
      'Updating To-Many Relationships: PATCH replaces comments',
      'Updating To-Many Relationships: PATCH clears comments',
      'Updating To-Many Relationships: 404 for missing tags',
    ],
  ],
  [
    'If a client makes a POST request',
    [
      'Updating To-Many Relationships: POST adds tags, each once',
      'Updating To-Many Relationships: POST adds comments, each once',
      'Updating To-Many Relationships: records that join both sides are added',
    ],
  ],
  [
    'If a given type and id is',
    [
      'Updating To-Many Relationships: POST adds tags, each once',
      'Updating To-Many Relationships: POST adds comments, each once',
    ],
  ],
  [
    'If all of the specified resources can',
    [
      'Updating To-Many Relationships: POST of present tags succeeds',
      'Updating To-Many Relationships: POST of present comments succeeds',
    ],
  ],
  [
    'If the client makes a DELETE request',
    [
      'Updating To-Many Relationships: DELETE removes tags',
      'Updating To-Many Relationships: DELETE removes comments',
    ],
  ],
  [
    'If all of the specified resources are',
    [
      'Updating To-Many Relationships: DELETE of missing tags succeeds',
      'Updating To-Many Relationships: DELETE of missing comments succeeds',
    ],
  ],
  // 200 OK
  [
    'If a server accepts an update but also changes the targeted relationship',
    'A relationship changes only as its request says.',
  ],
  // 202 Accepted
  [
    'If a relationship update request has been',
    'Fixtura completes every request before it answers.',
  ],
  // 204 No Content
  [
    "If an update is successful and the server doesn't change the targeted relationship",
    [
      'Updating To-One Relationships: 204',
      'Updating To-Many Relationships: POST of present tags succeeds',
    ],
  ],
  // 403 Forbidden
  [
    'A server MUST return 403 Forbidden in response to an unsupported request to update a relationship.',
    ['Updating Relationships: 403 for POST of a to-one relationship'],
  ],
  // 202 Accepted
  ['If a deletion request has been accepted', 'Fixtura completes every request before it answers.'],
  // 204 No Content
  ['If a deletion request is successful, the', ['Deleting Resources: 204 without a document']],
  // Extension-Specific Query Parameters
  ['The base name of every query parameter', 'It binds authors of extensions and profiles.'],
  ['The remainder of the base name MUST', 'It binds authors of extensions and profiles.'],
  // Implementation-Specific Query Parameters
  [
    'However, the names of these query parameters',
    ['Implementation-Specific Query Parameters: another one is ignored'],
  ],
  [
    'If a server encounters a query parameter',
    [
      'Implementation-Specific Query Parameters: 400 for one of a-z alone',
      'Implementation-Specific Query Parameters: 400 for one of a family without meaning here',
      'Implementation-Specific Query Parameters: 400 for a name that is no member name',
      'Implementation-Specific Query Parameters: 400 for the namespace of an unknown extension',
    ],
  ],
  // Error Objects
  ['Error objects MUST be returned as an', ['Top Level: errors exclude data, included and links']],
  [
    'An error object MAY have the following',
    ['Error Objects: one for each fault, with the pointer of the attribute'],
  ],
  ['This MUST point to a value in', ['Error Objects: a pointer names a value that exists']],
  // Parsing/Serialization
  [
    'To extract the query parameters from a',
    ['Parsing: a plus is a space, and percent-encoded characters are decoded'],
  ],
  ['Similarly, to serialize a query parameter into', ['Pagination: by number and size']],
  // Square Brackets in Parameter Names
  [
    'If a server does accept these requests,',
    ['Square Brackets: percent-encoded brackets are equivalent'],
  ],
]

/** The sentences of the extension Atomic Operations. */
export const atomicMusts: readonly Must[] = [
  // Document Structure
  [
    'A document that supports this extension MAY',
    ['Document Structure: 400 with data', 'Creating Resources: the result has the resource'],
  ],
  [
    'If either atomic:operations or atomic:results is present,',
    [
      'Processing Errors: a document of errors has no results',
      'Creating Resources: the result has the resource',
    ],
  ],
  // Operation Objects
  [
    'An operation object MUST contain the following',
    ['Processing Errors: 400 for no object', 'Processing Errors: 400 for an unknown op'],
  ],
  ['The value MUST be one of the', ['Processing Errors: 400 for an unknown op']],
  [
    'ref: an object that MUST contain one',
    [
      'Operation Objects: ref needs a type',
      'Operation Objects: ref needs an id or a local id',
      'Operation Objects: ref of a relationship by a local id',
      'Updating Resources: by ref',
    ],
  ],
  // Processing
  ['All HTTP requests sent with this extension', ['Processing: 405 for another method']],
  [
    'A server MUST perform operations in the',
    ['Processing: operations are performed in their order'],
  ],
  [
    'A server MUST perform all operations atomically,',
    [
      'Processing: a failure invalidates the operations before',
      'Processing Errors: nothing is stored',
    ],
  ],
  ['A server MUST respond to a successful', ['Creating Resources: the result has the resource']],
  [
    'An array of result objects MUST be',
    ['Processing: the results are in the order of the operations'],
  ],
  [
    'The results array MUST be the same',
    ['Processing: the results are in the order of the operations'],
  ],
  // Processing Errors
  [
    'If any operation in a request fails,',
    [
      'Processing Errors: 404 with the pointer of the operation',
      'Processing Errors: 409 for an id that exists',
    ],
  ],
  [
    'If a requested operation is malformed or',
    [
      'Processing Errors: 400 for no object',
      'Processing Errors: 400 for add without data',
      'Processing Errors: 400 for remove without a target',
    ],
  ],
  [
    'If an operation is properly formed, but',
    [
      'Processing Errors: 409 for an id that exists',
      'Processing Errors: the pointer of the attribute',
    ],
  ],
  // Creating Resources
  [
    'The operation MUST include an op code of "add"',
    ['Processing Errors: 400 for add without data', 'Creating Resources: by href of a collection'],
  ],
  ['The resource object MUST contain at least', ['Processing Errors: 400 for add without data']],
  // Responses
  [
    'In all other cases in which the',
    [
      'Creating Resources: the result has the resource',
      'Creating Resources: with an id of the client',
    ],
  ],
  [
    'If the server is unable to create',
    [
      'Processing Errors: 409 for an id that exists',
      'Processing Errors: the pointer of the attribute',
    ],
  ],
  // Updating Resources
  [
    'The operation MUST include an op code of "update".',
    [
      'Updating Resources: by the id in data',
      'Updating Resources: by ref',
      'Updating Resources: by href',
    ],
  ],
  // Responses
  ['If a server accepts an update but', ['Updating Resources: by ref']],
  ['If a server accepts an update and', ['Updating Resources: by ref']],
  [
    'If a server is unable to update the resource,',
    ['Processing Errors: an operation on a record that one before removes'],
  ],
  // Deleting Resources
  [
    'An operation that deletes a resource MUST',
    [
      'Processing Errors: 400 for remove without a target',
      'Processing Errors: 400 for ref and href',
    ],
  ],
  [
    'The operation MUST include an op code of "remove".',
    ['Deleting Resources: the result has no data'],
  ],
  // Responses
  ['If a server is able to delete', ['Deleting Resources: the result has no data']],
  ['If a server is unable to delete', ['Processing Errors: 404 with the pointer of the operation']],
  // Updating To-One Relationships
  [
    "An operation that updates a resource's to-one",
    ['Updating To-One Relationships: another resource', 'Processing Errors: 400 for ref and href'],
  ],
  // Responses
  ['If a server is able to update', ['Processing: the results are in the order of the operations']],
  [
    'If a server is unable to update the relationship,',
    ['Processing Errors: 404 for a related resource'],
  ],
  // Updating To-Many Relationships
  [
    "An operation that updates a resource's to-many",
    ['Updating To-Many Relationships: remove, by href', 'Processing Errors: 400 for ref and href'],
  ],
  ['To add members to a to-many relationship,', ['Updating To-Many Relationships: add']],
  ['To replace all the members of a', ['Updating To-Many Relationships: update replaces']],
  [
    'To remove members from a to-many relationship,',
    ['Updating To-Many Relationships: remove, by href'],
  ],
]
